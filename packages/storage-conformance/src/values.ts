/** Values are read exactly as they were written. */
import {
  accounts,
  categories,
  get,
  idempotency,
  insert,
  inventory,
  keys,
  orders,
  pets,
  remove,
  replace
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectDefect, expectSame } from "./expect.js"
import { EVERY_ROW, idsOf, read, rowsOf, write } from "./programs.js"
import * as sample from "./samples.js"

const TEXTS = [
  "",
  " two  spaces ",
  "line\nbreak\ttab\r\n",
  "quote ' double \" back \\ percent % under _ ? $1 {} -- /* ;",
  "e\u0301 is not \u00e9",
  "\ud83d\udc69\ud83c\udffd\u200d\ud83d\ude80 \ud83d\udc36",
  "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
  "\ufeffmark",
  "\uffff\ue000\u{10ffff}",
  "0123",
  "1e3",
  "null",
  "\ud83d\udc36".repeat(2_000)
]

const INTEGERS = [0, 1, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, -(2 ** 53 - 1), -62_135_596_800_000]

export const values: ReadonlyArray<Claim> = [
  {
    claim:
      "a row of any collection is read as it was written, with its id and revision 1, by id " +
      "and in scans",
    check: Effect.gen(function* () {
      const stored = yield* write(function* () {
        return [
          yield* insert(categories, sample.category({ description: "Loyal" })),
          yield* insert(pets, sample.pet()),
          yield* insert(inventory, sample.stock(1, { quantity: 3, onOrder: 1, sold: 2 })),
          yield* insert(
            orders,
            sample.order({ petId: 1, quantity: 1, shipDateMs: 5, complete: true, held: 1 })
          ),
          yield* insert(
            accounts,
            sample.account({ plan: "enterprise", perMinute: 10, perDay: 20 })
          ),
          yield* insert(keys, sample.key({ expiresMs: 7, revokedMs: 8, disabled: true })),
          yield* insert(idempotency, sample.answer())
        ] as const
      })
      const one = { id: 1, revision: 1 }
      const expected = [
        { ...sample.category({ description: "Loyal" }), ...one },
        { ...sample.pet(), ...one },
        { ...sample.stock(1, { quantity: 3, onOrder: 1, sold: 2 }), ...one },
        {
          ...sample.order({ petId: 1, quantity: 1, shipDateMs: 5, complete: true, held: 1 }),
          ...one
        },
        { ...sample.account({ plan: "enterprise", perMinute: 10, perDay: 20 }), ...one },
        { ...sample.key({ expiresMs: 7, revokedMs: 8, disabled: true }), ...one },
        { ...sample.answer(), ...one }
      ]
      yield* expectSame("the rows that insert answered with", stored, expected)
      const byId = yield* read(function* () {
        return [
          yield* get(categories, 1),
          yield* get(pets, 1),
          yield* get(inventory, 1),
          yield* get(orders, 1),
          yield* get(accounts, 1),
          yield* get(keys, 1),
          yield* get(idempotency, 1)
        ]
      })
      yield* expectSame("the rows by id", byId, expected)
      const listed = yield* read(function* () {
        return [
          ...(yield* rowsOf(categories, EVERY_ROW)),
          ...(yield* rowsOf(pets, EVERY_ROW)),
          ...(yield* rowsOf(inventory, EVERY_ROW)),
          ...(yield* rowsOf(orders, EVERY_ROW)),
          ...(yield* rowsOf(accounts, EVERY_ROW)),
          ...(yield* rowsOf(keys, EVERY_ROW)),
          ...(yield* rowsOf(idempotency, EVERY_ROW))
        ]
      })
      yield* expectSame("the rows in lists", listed, expected)
    })
  },
  {
    claim: "null, true and false are read as null, true and false",
    check: Effect.gen(function* () {
      const asked = [
        sample.order({ complete: true }),
        sample.order({ complete: false, petId: 0, quantity: 0, shipDateMs: 0 })
      ]
      yield* write(function* () {
        for (const fields of asked) yield* insert(orders, fields)
      })
      const rows = yield* read(() => rowsOf(orders, EVERY_ROW))
      yield* expectSame(
        "the orders",
        rows,
        asked.map((fields, at) => Object.assign({ id: at + 1, revision: 1 }, fields))
      )
    })
  },
  {
    claim:
      "texts are read unit by unit as they were written: emoji, combining marks, quotes, " +
      "line breaks, the empty text",
    check: Effect.gen(function* () {
      yield* write(function* () {
        for (const text of TEXTS)
          yield* insert(categories, sample.category({ name: text, description: text }))
      })
      const rows = yield* read(() => rowsOf(categories, EVERY_ROW))
      yield* expectSame(
        "the names",
        rows.map((row) => row.name),
        TEXTS
      )
      yield* expectSame(
        "the descriptions",
        rows.map((row) => row.description),
        TEXTS
      )
    })
  },
  {
    claim:
      "a number that is not an integer is a defect, in optional columns too, and nothing is stored",
    check: Effect.gen(function* () {
      for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        for (const column of ["shipDateMs", "held"] as const) {
          const written = write(() => insert(orders, sample.order({ [column]: value })))
          yield* expectDefect(`${column} of ${value}`, written)
        }
      }
      yield* expectSame("the orders", yield* read(() => rowsOf(orders, EVERY_ROW)), [])
    })
  },
  {
    claim: "integers are exact up to 2^53 - 1, negative ones too",
    check: Effect.gen(function* () {
      yield* write(function* () {
        for (const value of INTEGERS)
          yield* insert(orders, sample.order({ shipDateMs: value, held: value }))
      })
      const rows = yield* read(() => rowsOf(orders, EVERY_ROW))
      yield* expectSame(
        "the instants",
        rows.map((row) => row.shipDateMs),
        INTEGERS
      )
      yield* expectSame(
        "the quantities",
        rows.map((row) => row.held),
        INTEGERS
      )
    })
  },
  {
    claim: "a row that was never stored is read as undefined",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* write(() => insert(pets, sample.pet()))
      const found = yield* read(function* () {
        return [yield* get(pets, 2), yield* get(pets, 2 ** 53 - 1), yield* get(orders, 1)]
      })
      yield* expectSame("rows that are not there", found, [undefined, undefined, undefined])
    })
  },
  {
    claim: "a replaced row is read with every new column, null included, and the next revision",
    check: Effect.gen(function* () {
      const first = yield* write(() =>
        insert(orders, sample.order({ petId: 3, quantity: 2, shipDateMs: 9, held: 2 }))
      )
      const changes = sample.order({ quantity: 4, complete: true })
      yield* write(() => replace(orders, first, changes))
      const found = yield* read(() => get(orders, first.id))
      yield* expectSame("the replaced row", found, { ...changes, id: first.id, revision: 2 })
    })
  },
  {
    claim: "a removed row is gone, by id and from scans, and the others stay",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const rows = yield* write(function* () {
        return [
          yield* insert(pets, sample.pet()),
          yield* insert(pets, sample.pet()),
          yield* insert(pets, sample.pet())
        ] as const
      })
      yield* write(() => remove(pets, rows[1]))
      yield* expectSame("the removed row", yield* read(() => get(pets, 2)), undefined)
      yield* expectSame("the others", yield* read(() => idsOf(pets, EVERY_ROW)), [1, 3])
    })
  }
]
