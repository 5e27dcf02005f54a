import { accounts, categories, count, get, insert, type Program } from "@petstore/core/storage"
import { EVERY_ROW, keys } from "@petstore/core/storage"
import { Either } from "effect"
import { describe, expect, test } from "vitest"
import { aFile, openPorts } from "./aFile.js"

function* adding(name: string): Program<number> {
  const { id } = yield* insert(categories, { name, foldedName: name, description: null })
  return id
}

/** Two storages on one file, as two processes have them. */
const openTwo = async () => {
  const filename = aFile()
  const [one, two] = [
    (await openPorts({ filename })).direct,
    (await openPorts({ filename })).direct
  ]
  const isThere = (id: number) =>
    Either.getOrThrow(one.read(() => get(categories, id))) !== undefined
  const counted = () => Either.getOrThrow(one.read(() => count(categories, EVERY_ROW)))
  const together = <A>(run: () => A): A | undefined => {
    let answer: A | undefined
    one.withSharedSnapshot(() => {
      answer = run()
    })
    return answer
  }
  return { one, two, isThere, counted, together }
}

describe("reads that run together", () => {
  test("see one state, whatever others write meanwhile, until they are apart", async () => {
    const { one, two, isThere, counted, together } = await openTwo()
    expect(together(() => [isThere(1), counted()])).toEqual([false, 0])
    two.write(() => adding("Dogs"))
    expect(together(() => [isThere(1), counted()])).toEqual([false, 0])
    one.endSharedSnapshot()
    expect(together(() => [isThere(1), counted()])).toEqual([true, 1])
  })

  test("see what others wrote before the first of them", async () => {
    const { two, isThere, together } = await openTwo()
    expect(
      together(() => {
        two.write(() => adding("Dogs"))
        return isThere(1)
      })
    ).toBe(true)
  })

  test("see what their own storage writes meanwhile, and with it what others wrote", async () => {
    const { one, two, isThere, counted, together } = await openTwo()
    together(() => isThere(1))
    two.write(() => adding("Dogs"))
    one.write(() => adding("Cats"))
    expect(together(counted)).toBe(2)
  })

  test("see one data version, and another one once they are apart", async () => {
    const { one, two, together } = await openTwo()
    const dataVersion = () => one.dataVersion([keys, accounts])
    const before = together(dataVersion)
    two.write(() => adding("Dogs"))
    expect(together(dataVersion)).toBe(before)
    one.endSharedSnapshot()
    expect(together(dataVersion)).not.toBe(before)
  })

  test("leave every other read to its own moment", async () => {
    const { two, isThere, together } = await openTwo()
    together(() => isThere(1))
    two.write(() => adding("Dogs"))
    expect(isThere(1)).toBe(true)
  })

  test("let go of what they see when one of them throws", async () => {
    const { one, two, isThere, together } = await openTwo()
    const broken = () =>
      together(() => {
        isThere(1)
        throw new Error("a handler that is broken")
      })
    expect(broken).toThrow("a handler that is broken")
    two.write(() => adding("Dogs"))
    expect(isThere(1)).toBe(true)
    one.endSharedSnapshot()
  })
})
