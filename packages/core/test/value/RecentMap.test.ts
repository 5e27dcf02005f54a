import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { RecentMap } from "../../src/value/RecentMap.js"

describe("RecentMap", () => {
  it("has what was among the last half of its capacity that was touched, and is never larger than its capacity", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 12 }), fc.boolean()), { maxLength: 200 }),
        (touches) => {
          const map = new RecentMap<number, { readonly key: number }>(8)
          const touched: Array<number> = []
          for (const [key, isSet] of touches) {
            if (!isSet && map.get(key) === undefined) continue
            if (isSet) map.set(key, { key })
            touched.push(key)
            for (const recent of [...new Set(touched.toReversed())].slice(0, 4)) {
              expect([...map.values()].map((value) => value.key)).toContain(recent)
            }
            expect(map.size).toBeLessThanOrEqual(8)
          }
          const keys = [...map.values()].map((value) => value.key)
          expect(new Set(keys).size).toBe(keys.length)
        }
      )
    )
  })

  it("finds the value that was set last, and nothing that was deleted, cleared or not retained", () => {
    const map = new RecentMap<string, number>(4)
    for (const [key, value] of [
      ["a", 1],
      ["b", 2],
      ["c", 3],
      ["a", 4]
    ] as const)
      map.set(key, value)
    expect(map.get("a")).toBe(4)
    map.delete("a")
    expect(map.get("a")).toBeUndefined()
    map.retain((value) => value === 3)
    expect([...map.values()]).toEqual([3])
    map.clear()
    expect(map.size).toBe(0)
  })
})
