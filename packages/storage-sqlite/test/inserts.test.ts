import {
  type AccountRow,
  accounts,
  count,
  EVERY_ROW,
  get,
  insert,
  type Program,
  refuse,
  remove,
  replace,
  scan
} from "@petstore/core/storage"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { aFile, openPorts } from "./aFile.js"

/** An account. */
const row = (name: string): Omit<AccountRow, "id" | "revision"> => ({
  name,
  plan: "free",
  perMinute: null,
  perDay: null,
  createdMs: 0
})

function* adding(name: string): Program<number> {
  return (yield* insert(accounts, row(name))).id
}

/** Adds so many in one go, and answers their ids. */
function* addingMany(many: number): Program<ReadonlyArray<number>> {
  const ids: Array<number> = []
  for (let nth = 0; nth < many; nth++) ids.push(yield* adding(`nth ${nth}`))
  return ids
}

/** SQLite takes no null as a name. */
function* addingNameless(): Program<number> {
  const nameless: Pick<AccountRow, "name"> = JSON.parse('{"name":null}')
  return (yield* insert(accounts, { ...row(""), ...nameless })).id
}

const upTo = (last: number, from = 1): ReadonlyArray<number> =>
  Array.from({ length: last - from + 1 }, (_, nth) => from + nth)

const storedIn = (filename: string): ReadonlyArray<unknown> => {
  const file = openSqlite(filename, { readOnly: true })
  const names = file.values("SELECT name FROM accounts ORDER BY id").all()
  file.close()
  return names
}

describe("rows that a transaction inserts one after the other", () => {
  test.each([1, 2, 3, 32, 33, 34, 64, 65, 100])(
    "%i of them are all stored, under ids in a row",
    async (many) => {
      const filename = aFile()
      const { direct } = await openPorts({ filename })
      expect(direct.write(() => addingMany(many))).toEqual(Either.right(upTo(many)))
      expect(direct.write(() => addingMany(2))).toEqual(Either.right([many + 1, many + 2]))
      expect(storedIn(filename)).toHaveLength(many + 2)
    }
  )

  test("are there for whatever is asked of them in the same transaction", async () => {
    const { direct } = await openPorts({ filename: aFile() })
    const seen = direct.write(function* () {
      yield* addingMany(3)
      const gotten = yield* get(accounts, 3)
      yield* addingMany(3)
      const scanned = yield* scan(accounts, EVERY_ROW, { limit: 10 })
      yield* addingMany(3)
      const counted = yield* count(accounts, EVERY_ROW)
      const id = yield* adding("put")
      yield* replace(accounts, { ...row("put"), id, revision: 1 }, { name: "changed" })
      const doomed = yield* adding("removed")
      yield* remove(accounts, { ...row("removed"), id: doomed, revision: 1 })
      return [
        gotten?.id,
        scanned.map((each) => each.id),
        counted,
        (yield* get(accounts, id))?.name,
        yield* adding("next")
      ]
    })
    expect(seen).toEqual(Either.right([3, upTo(6), 9, "changed", 12]))
  })

  test("are all undone with a program that refuses, and their ids are free again", async () => {
    const filename = aFile()
    const { direct, submit } = await openPorts({ filename })
    function* refusing(): Program<never, string> {
      yield* addingMany(40)
      return yield* refuse("no")
    }
    expect(direct.write(refusing)).toEqual(Either.left("no"))
    expect(direct.write(() => adding("a"))).toEqual(Either.right(1))
    const told = await Promise.all([
      submit(() => addingMany(2)),
      submit(refusing),
      submit(() => addingMany(2))
    ])
    expect(told).toEqual([Either.right([2, 3]), Either.left("no"), Either.right([4, 5])])
    expect(storedIn(filename)).toHaveLength(5)
  })

  test("what SQLite does not take is the fault of who inserted it, alone or in a group, and of nobody else", async () => {
    const filename = aFile()
    const { direct, submit } = await openPorts({ filename })
    function* namelessLater(): Program<number> {
      yield* adding("before it")
      return yield* addingNameless()
    }
    expect(() => direct.write(namelessLater)).toThrow("NOT NULL")
    for (let round = 0; round < 2; round++) {
      const told = await Promise.allSettled([
        submit(() => adding("a")),
        submit(namelessLater),
        // Looks at what the one before it could not store.
        submit(function* () {
          return (yield* scan(accounts, EVERY_ROW, { limit: 100 })).length
        }),
        submit(() => adding("b"))
      ])
      expect(told.map(({ status }) => status)).toEqual([
        "fulfilled",
        "rejected",
        "fulfilled",
        "fulfilled"
      ])
      expect(told[2]).toMatchObject({ value: Either.right(2 * round + 1) })
    }
    expect(storedIn(filename)).toEqual(["a", "b", "a", "b"])
  })

  test("where there is no room for them, nobody of a group is told that they are stored", async () => {
    const filename = aFile()
    const { submit } = await openPorts({ filename, maxPages: 90 })
    const stored = new Set<string>()
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        upTo(5).map(async (nth) => {
          const name = `${round}.${nth} ${"x".repeat(2_900)}`
          if (Either.isRight(await submit(() => adding(name)))) stored.add(name)
        })
      )
    }
    expect(stored.size).toBeLessThan(200)
    expect(new Set(storedIn(filename))).toEqual(stored)
  })
})

test("groups of programs that insert, look, remove and refuse leave the rows that a plain list of them has", async () => {
  const step = fc.constantFrom("insert", "look", "remove", "refuse")
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 5 }), { maxLength: 6 }),
      async (groups) => {
        const { direct, submit, close } = await openPorts({ filename: aFile() })
        let rows: Array<number> = []
        let last = 0
        for (const group of groups) {
          const answers = await Promise.all(
            group.map((steps) =>
              submit(function* () {
                const seen: Array<unknown> = []
                for (const each of steps) {
                  if (each === "refuse") yield* refuse("no")
                  const found =
                    each === "insert" ? [] : yield* scan(accounts, EVERY_ROW, { limit: 1_000 })
                  const latest = found.at(-1)
                  if (each === "insert") seen.push(yield* adding("x"))
                  else seen.push(found.map(({ id }) => id))
                  if (each === "remove" && latest !== undefined) yield* remove(accounts, latest)
                }
                return seen
              })
            )
          )
          for (const [nth, steps] of group.entries()) {
            const model = { rows: [...rows], last }
            const seen: Array<unknown> = []
            for (const each of steps.includes("refuse") ? [] : steps) {
              if (each === "insert") {
                model.rows.push(++model.last)
                seen.push(model.last)
              } else seen.push([...model.rows])
              if (each === "remove") model.rows.pop()
            }
            expect(answers[nth]).toEqual(
              steps.includes("refuse") ? Either.left("no") : Either.right(seen)
            )
            if (!steps.includes("refuse")) ({ rows, last } = model)
          }
        }
        const left = direct.read(() => scan(accounts, EVERY_ROW, { limit: 1_000 }))
        expect(Either.map(left, (found) => found.map(({ id }) => id))).toEqual(Either.right(rows))
        await close()
      }
    ),
    { numRuns: 40 }
  )
})
