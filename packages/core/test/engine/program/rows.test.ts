import * as Either from "effect/Either"
import { expect, test } from "vitest"
import { collectionOf } from "../../../src/engine/program/Collection.js"
import { fold, integer, reference, text } from "../../../src/engine/program/columns.js"
import { drive } from "../../../src/engine/program/drive.js"
import type { Request } from "../../../src/engine/program/Program.js"
import { insertRow, replaceRow } from "../../../src/engine/program/rows.js"

type Shelf = { readonly id: number; readonly revision: number; readonly size: number }
type Book = {
  readonly id: number
  readonly revision: number
  readonly title: string
  readonly folded: string
  readonly shelfId: number
  readonly nextToId: number | null
}

const shelves = collectionOf<Shelf>()({
  name: "shelves",
  key: "assigned",
  columns: { size: integer },
  indexes: []
})

const books = collectionOf<Book>()({
  name: "books",
  key: "assigned",
  columns: {
    title: text,
    folded: fold("title"),
    shelfId: reference(shelves, (id) => `no shelf ${id}`),
    nextToId: { ...reference(shelves, (id) => `next to no shelf ${id}`), optional: true }
  },
  indexes: []
})

const BOOK = { id: 5, revision: 2, title: "Émile", folded: "émile", shelfId: 1, nextToId: null }

/** A storage with the shelves 1 and 2, and what it was asked for. */
const run = <A, E>(program: Parameters<typeof drive<A, E>>[0]) => {
  const requests: Array<Request> = []
  const answer = drive(program, (request) => {
    requests.push(request)
    if (request.op === "get") return request.id <= 2 ? { id: request.id, revision: 1 } : undefined
    return request.op === "insert"
      ? { ...request.row, id: 5, revision: 1 }
      : "row" in request
        ? request.row
        : undefined
  })
  return { answer, requests: requests.map(({ op }) => op) }
}

test("a new row gets its folded texts", () => {
  const { answer } = run(insertRow(books, { title: "ÉMILE", shelfId: 1, nextToId: 2 }))
  expect(answer).toEqual(Either.right({ ...BOOK, title: "ÉMILE", revision: 1, nextToId: 2 }))
})

test("a replaced row gets the folded form of a new text, and keeps that of an old one", () => {
  expect(run(replaceRow(books, BOOK, { title: "Candide" })).answer).toEqual(
    Either.right({ ...BOOK, title: "Candide", folded: "candide", revision: 3 })
  )
  expect(run(replaceRow(books, BOOK, { shelfId: 2 })).answer).toEqual(
    Either.right({ ...BOOK, shelfId: 2, revision: 3 })
  )
})

test("a reference to a missing row is refused with the error of its column, and nothing is written", () => {
  const fields = { title: "Emma", shelfId: 3, nextToId: null }
  expect(run(insertRow(books, fields))).toEqual({
    answer: Either.left("no shelf 3"),
    requests: ["get"]
  })
  expect(run(replaceRow(books, BOOK, { nextToId: 4 }))).toEqual({
    answer: Either.left("next to no shelf 4"),
    requests: ["get"]
  })
})

test("an id that no row can have is refused without a lookup", () =>
  expect(run(insertRow(books, { title: "Emma", shelfId: 2 ** 63, nextToId: null }))).toEqual({
    answer: Either.left(`no shelf ${2 ** 63}`),
    requests: []
  }))

test("a reference is looked up once, and neither when it is null nor when it does not change", () => {
  const fields = { title: "Emma", shelfId: 1, nextToId: null }
  expect(run(insertRow(books, fields)).requests).toEqual(["get", "insert"])
  expect(run(replaceRow(books, BOOK, { shelfId: 1, title: "Emma" })).requests).toEqual(["put"])
  expect(run(replaceRow(books, BOOK, { shelfId: 2 })).requests).toEqual(["get", "put"])
})
