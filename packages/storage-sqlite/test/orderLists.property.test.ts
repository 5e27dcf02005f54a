import {
  EVERY_ROW,
  count,
  insert,
  type OrderRow,
  orders,
  type Range,
  remove,
  replace,
  scan
} from "@petstore/core/storage"
import { Either, FastCheck as fc } from "effect"
import { expect, test } from "vitest"
import { aFile, openPorts } from "./aFile.js"

/**
 * Few different values, and often none, so that ties, moves between dated and undated, and empty
 * lists all happen.
 */
const petId = fc.option(fc.constantFrom(1, 2), { nil: null })
const shipDateMs = fc.option(fc.constantFrom(-1, 0, 10, 20), { nil: null })
const complete = fc.boolean()

const step = fc.record({
  act: fc.constantFrom(
    "insert" as const,
    "insert" as const,
    "insert" as const,
    "change" as const,
    "remove" as const
  ),
  pick: fc.nat(100),
  petId,
  shipDateMs,
  complete
})

const bound = fc.option(fc.constantFrom(0, 5, 10, 21), { nil: null })
const list = fc.record({
  index: fc.constantFrom(...orders.indexes),
  petId,
  complete,
  atLeast: bound,
  below: bound,
  after: fc.option(fc.record({ value: shipDateMs, id: fc.integer({ min: 0, max: 30 }) }), {
    nil: null
  }),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 6 })
})

/** A place in a list: null stands before every number. */
type Place = { readonly value: number | null; readonly id: number }

const compare = (left: Place, right: Place): number => {
  const [one, other] = [
    left.value ?? Number.NEGATIVE_INFINITY,
    right.value ?? Number.NEGATIVE_INFINITY
  ]
  return one === other ? left.id - right.id : one < other ? -1 : 1
}

type Asked = typeof list extends fc.Arbitrary<infer A> ? A : never

const rangeOf = ({ index, petId, complete, atLeast, below }: Asked): Range => ({
  index,
  prefix: index.on.map((column) => (column === "petId" ? petId : complete)),
  atLeast,
  below
})

const sortedBy = ({ index }: Asked) => {
  const placeOf = ({ id, shipDateMs }: OrderRow): Place => ({
    value: index.sort === "id" ? id : shipDateMs,
    id
  })
  return placeOf
}

/** What a range has, worked out from all orders. */
const expectedRange = (rows: ReadonlyArray<OrderRow>, asked: Asked): ReadonlyArray<OrderRow> => {
  const { index, petId, complete, atLeast, below } = asked
  const placeOf = sortedBy(asked)
  return rows
    .filter(
      (row) => row.complete === complete && (!index.on.includes("petId") || row.petId === petId)
    )
    .filter(
      (row) => atLeast === null || (placeOf(row).value ?? Number.NEGATIVE_INFINITY) >= atLeast
    )
    .filter((row) => below === null || (placeOf(row).value ?? Number.NEGATIVE_INFINITY) < below)
    .toSorted((left, right) => compare(placeOf(left), placeOf(right)))
}

const expectedScan = (rows: ReadonlyArray<OrderRow>, asked: Asked): ReadonlyArray<number> => {
  const placeOf = sortedBy(asked)
  const { after, descending, limit } = asked
  const start = after === null ? null : afterOf(asked, after)
  const range = expectedRange(rows, asked)
  return (descending ? range.toReversed() : range)
    .filter((row) => {
      const place = start === null ? 1 : compare(placeOf(row), start)
      return start === null || (descending ? place < 0 : place > 0)
    })
    .slice(0, limit)
    .map(({ id }) => id)
}

/** In a list by id, a position's value is its id. */
const afterOf = ({ index }: Asked, { value, id }: Place): Place => ({
  value: index.sort === "id" ? id : value,
  id
})

test("every list of dated and undated orders has the rows it should, in their order, on every page and counted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.array(list, { minLength: 20, maxLength: 20 }),
      async (steps, lists) => {
        const { direct } = await openPorts({ filename: aFile(), durability: "relaxed" })
        const stored = new Map<number, OrderRow>()
        direct.write(function* () {
          for (const { act, pick, ...fields } of steps) {
            const target = [...stored.values()][pick % Math.max(1, stored.size)]
            if (act === "insert") {
              const row = yield* insert(orders, { ...fields, quantity: 1, held: 0 })
              stored.set(row.id, row)
            } else if (target !== undefined && act === "change") {
              stored.set(target.id, yield* replace(orders, target, fields))
            } else if (target !== undefined) {
              yield* remove(orders, target)
              stored.delete(target.id)
            }
          }
        })
        const rows = [...stored.values()]
        for (const asked of lists) {
          const range = rangeOf(asked)
          const after = asked.after === null ? null : afterOf(asked, asked.after)
          const found = direct.read(() =>
            scan(orders, range, { limit: asked.limit, descending: asked.descending, after })
          )
          expect(Either.getOrThrow(found).map(({ id }) => id)).toEqual(expectedScan(rows, asked))
          const counted = direct.read(() => count(orders, range))
          expect(counted).toEqual(Either.right(expectedRange(rows, asked).length))
        }
        const total = direct.read(() => count(orders, EVERY_ROW))
        expect(total).toEqual(Either.right(rows.length))
      }
    ),
    { numRuns: 30 }
  )
})
