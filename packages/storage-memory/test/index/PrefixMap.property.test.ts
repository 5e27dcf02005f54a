/** PrefixMap against a plain Map, while copies share shards and change independently. */
import * as FastCheck from "effect/FastCheck"
import { expect, test } from "vitest"
import { newCowToken } from "../../src/CowToken.js"
import { PrefixMap } from "../../src/index/PrefixMap.js"

type Step =
  | { readonly do: "set"; readonly on: number; readonly key: number; readonly value: number }
  | { readonly do: "delete"; readonly on: number; readonly key: number }
  | { readonly do: "share"; readonly on: number }

/** Ids, strings with the same end, numbers beyond 32 bits, and the prefix of indexes on nothing. */
const keyOf = (key: number): number | string | null =>
  key === 0 ? null : key % 3 === 0 ? `key ${key}` : key % 3 === 1 ? key : key * 2 ** 32

const on = FastCheck.nat(3)
const key = FastCheck.nat(400)
const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 12,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("set" as const),
      on,
      key,
      value: FastCheck.nat()
    })
  },
  {
    weight: 4,
    arbitrary: FastCheck.record({ do: FastCheck.constant("delete" as const), on, key })
  },
  { weight: 1, arbitrary: FastCheck.record({ do: FastCheck.constant("share" as const), on }) }
)

/** Two maps for new tokens, as after a fork: what they share belongs to neither. */
const fork = (map: PrefixMap): [PrefixMap, PrefixMap] => [
  map.writableBy(newCowToken()),
  map.writableBy(newCowToken())
]

test("maps that share shards are independent of each other", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.array(step, { maxLength: 2_000, size: "max" }), (steps) => {
      const sides = [
        { map: PrefixMap.empty(newCowToken()), model: new Map<number | string | null, number>() }
      ]
      for (const each of steps) {
        const at = each.on % sides.length
        const side = sides[at]
        if (side === undefined) continue
        if (each.do === "share") {
          const [one, other] = fork(side.map)
          sides[at] = { map: one, model: side.model }
          if (sides.length < 4) sides.push({ map: other, model: new Map(side.model) })
        } else if (each.do === "set") {
          side.map.set(keyOf(each.key), each.value)
          side.model.set(keyOf(each.key), each.value)
        } else {
          side.map.delete(keyOf(each.key))
          side.model.delete(keyOf(each.key))
        }
      }
      for (const { map, model } of sides) {
        for (let each = 0; each <= 400; each++) {
          expect(map.get(keyOf(each))).toBe(model.get(keyOf(each)))
        }
      }
    }),
    { numRuns: 60 }
  )
})
