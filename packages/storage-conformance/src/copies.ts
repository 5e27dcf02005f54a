/** Changing a passed or returned row does not change the stored one. */
import { get, insert, pets, type PetRow } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import { EVERY_ROW, read, rowsOf, write } from "./programs.js"
import * as sample from "./samples.js"

/**
 * Changes the object if it lets itself be changed; a storage may as well hand out rows that throw.
 */
const tamper = (row: object | undefined): Effect.Effect<void> =>
  Effect.ignore(
    Effect.try(() => Object.assign(row ?? {}, { name: "tampered", status: "sold", extra: 1 }))
  )

const stored = { ...sample.pet(), id: 1, revision: 1 }
const unchanged = Effect.gen(function* () {
  yield* expectSame("the row by id", yield* read(() => get(pets, 1)), stored)
  yield* expectSame("the row in a list", yield* read(() => rowsOf(pets, EVERY_ROW)), [stored])
})

export const copies: ReadonlyArray<Claim> = [
  {
    claim: "changing a row after it was passed to insert changes no stored row",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const given: PetRow = { ...sample.pet(), id: 0, revision: 1 }
      yield* write(function* () {
        yield { op: "insert", collection: pets, row: given }
      })
      yield* tamper(given)
      yield* unchanged
    })
  },
  {
    claim: "changing a row after it was passed to put changes no stored row",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* write(() => insert(pets, sample.pet({ name: "Max" })))
      const given = { ...stored }
      yield* write(function* () {
        yield { op: "put", collection: pets, row: given, changed: ["name"] }
      })
      yield* tamper(given)
      yield* unchanged
    })
  },
  {
    claim: "changing a row that insert, get or a scan returned changes no stored row",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* tamper(yield* write(() => insert(pets, sample.pet())))
      yield* unchanged
      yield* tamper(yield* read(() => get(pets, 1)))
      yield* unchanged
      for (const row of yield* read(() => rowsOf(pets, EVERY_ROW))) yield* tamper(row)
      yield* unchanged
    })
  },
  {
    claim: "changing an array that a scan returned changes no stored row",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* write(() => insert(pets, sample.pet()))
      const rows = yield* read(() => rowsOf(pets, EVERY_ROW))
      yield* Effect.ignore(Effect.try(() => Object.assign(rows, { length: 0 })))
      yield* unchanged
    })
  }
]
