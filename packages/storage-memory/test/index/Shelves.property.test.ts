/** Shelves against a plain Map, while they are shared and changed apart. */
import * as FastCheck from "effect/FastCheck"
import { expect, test } from "vitest"
import { newOwner } from "../../src/Owner.js"
import { Shelves } from "../../src/index/Shelves.js"

type Step =
  | { readonly do: "set"; readonly on: number; readonly key: number; readonly value: number }
  | { readonly do: "delete"; readonly on: number; readonly key: number }
  | { readonly do: "share"; readonly on: number }

/** Ids, texts that end alike, numbers beyond 32 bits, and the key of indexes on nothing. */
const keyOf = (key: number): number | string | null =>
  key === 0 ? null : key % 3 === 0 ? `key ${key}` : key % 3 === 1 ? key : key * 2 ** 32

const on = FastCheck.nat(3)
const key = FastCheck.nat(400)
const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 12,
    arbitrary: FastCheck.record({ do: FastCheck.constant("set" as const), on, key, value: FastCheck.nat() })
  },
  { weight: 4, arbitrary: FastCheck.record({ do: FastCheck.constant("delete" as const), on, key }) },
  { weight: 1, arbitrary: FastCheck.record({ do: FastCheck.constant("share" as const), on }) }
)

/** What a table does before both sides go on: neither owns what they share. */
const shared = (shelves: Shelves): [Shelves, Shelves] => [
  shelves.ownedBy(newOwner()),
  shelves.ownedBy(newOwner())
]

test("shelves that were shared are as many maps that have nothing in common", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.array(step, { maxLength: 2_000, size: "max" }), (steps) => {
      const sides = [{ shelves: Shelves.empty(newOwner()), model: new Map<number | string | null, number>() }]
      for (const each of steps) {
        const place = each.on % sides.length
        const side = sides[place]
        if (side === undefined) continue
        if (each.do === "share") {
          const [one, other] = shared(side.shelves)
          sides[place] = { shelves: one, model: side.model }
          if (sides.length < 4) sides.push({ shelves: other, model: new Map(side.model) })
        } else if (each.do === "set") {
          side.shelves.set(keyOf(each.key), each.value)
          side.model.set(keyOf(each.key), each.value)
        } else {
          side.shelves.delete(keyOf(each.key))
          side.model.delete(keyOf(each.key))
        }
      }
      for (const { shelves, model } of sides) {
        for (let each = 0; each <= 400; each++) {
          expect(shelves.get(keyOf(each))).toBe(model.get(keyOf(each)))
        }
      }
    }),
    { numRuns: 60 }
  )
})
