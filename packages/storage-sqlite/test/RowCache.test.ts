import {
  categories,
  type CategoryRow,
  get,
  insert,
  type Program,
  refuse,
  remove,
  replace
} from "@petstore/core/storage"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { RowCache } from "../src/cache/RowCache.js"
import { aFile, openPorts } from "./aFile.js"

const row = (name: string): Omit<CategoryRow, "id" | "revision"> => ({
  name,
  foldedName: name,
  description: null
})

function* adding(name: string): Program<number> {
  return (yield* insert(categories, row(name))).id
}

function* naming(id: number): Program<string | undefined> {
  return (yield* get(categories, id))?.name
}

function* renaming(id: number, name: string): Program<void> {
  const found = yield* get(categories, id)
  if (found !== undefined) yield* replace(categories, found, { name, foldedName: name })
}

describe("a row that a transaction reads again", () => {
  test("is as the transaction has left it", async () => {
    const { direct } = await openPorts({ filename: aFile() })
    const read = direct.write(function* () {
      const id = yield* adding("Cats")
      const names = [yield* naming(id), yield* naming(id)]
      yield* renaming(id, "Dogs")
      names.push(yield* naming(id))
      const found = yield* get(categories, id)
      if (found !== undefined) yield* remove(categories, found)
      return [...names, yield* naming(id)]
    })
    expect(read).toEqual(Either.right(["Cats", "Cats", "Dogs", undefined]))
  })

  test("is as others have left it since the last transaction", async () => {
    const filename = aFile()
    const one = (await openPorts({ filename })).direct
    const other = (await openPorts({ filename })).direct
    one.write(() => adding("Cats"))
    expect(one.write(() => naming(1))).toEqual(Either.right("Cats"))
    other.write(() => renaming(1, "Dogs"))
    expect(one.write(() => naming(1))).toEqual(Either.right("Dogs"))
    other.write(() => renaming(1, "Fish"))
    expect(await one.submit(() => naming(1))).toEqual(Either.right("Fish"))
  })

  const id = fc.integer({ min: 1, max: 4 })
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("read" as const), id }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("rename" as const), id, name: fc.nat(99) })
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), id }) }
  )
  const part = fc.record({ steps: fc.array(step, { maxLength: 6 }), isRefused: fc.boolean() })
  type Part = typeof part extends fc.Arbitrary<infer P> ? P : never

  function* running({
    steps,
    isRefused
  }: Part): Program<ReadonlyArray<string | undefined>, "refused"> {
    const read: Array<string | undefined> = []
    for (const each of steps) {
      if (each.do === "read") read.push(yield* naming(each.id))
      else if (each.do === "rename") yield* renaming(each.id, `renamed ${each.name}`)
      else {
        const found = yield* get(categories, each.id)
        if (found !== undefined) yield* remove(categories, found)
      }
    }
    return isRefused ? yield* refuse("refused" as const) : read
  }

  const group = fc.record({
    by: fc.constantFrom("one", "other"),
    parts: fc.array(part, { maxLength: 6 })
  })

  test("is as the parts of all groups have left it, of its own connection and of another, and those that refused have not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(group, { maxLength: 6 }), async (groups) => {
        const filename = aFile()
        const { direct, submit } = await openPorts({ filename, durability: "relaxed" })
        const other = await openPorts({ filename, durability: "relaxed" })
        const known = new Map<number, string>()
        for (const name of ["Cats", "Dogs", "Fish"]) {
          direct.write(() => adding(name))
          known.set(known.size + 1, name)
        }
        for (const { by, parts } of groups) {
          const run = by === "one" ? submit : other.submit
          const told = await Promise.all(parts.map((each) => run(() => running(each))))
          const expected = parts.map(({ steps, isRefused }) => {
            const before = new Map(known)
            const read: Array<string | undefined> = []
            for (const each of steps) {
              if (each.do === "read") read.push(known.get(each.id))
              else if (each.do === "remove") known.delete(each.id)
              else if (known.has(each.id)) known.set(each.id, `renamed ${each.name}`)
            }
            if (!isRefused) return Either.right(read)
            known.clear()
            for (const [key, name] of before) known.set(key, name)
            return Either.left("refused")
          })
          expect(told).toEqual(expected)
        }
      }),
      { numRuns: 60 }
    )
  })
})

test("no more than 1,024 rows of a table are held: those that were held first make room", () => {
  const held = new RowCache()
  for (let id = 1; id <= 3_000; id++) held.set({ id, revision: 1 })
  expect([1_976, 1_977, 3_000].map((id) => held.get(id)?.id)).toEqual([undefined, 1_977, 3_000])
})
