import { setImmediate as turn } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { WriteCoalescer } from "../../src/node/WriteCoalescer.js"

const watched = () => {
  const writes = new WriteCoalescer()
  const seen: Array<string> = []
  const answer = (name: string) => writes.send(() => seen.push(name))
  return { writes, seen, answer }
}

describe("answers of one turn of the event loop", () => {
  test("are written together at its end, but for the first", async () => {
    const { writes, seen, answer } = watched()
    writes.begin()
    answer("one")
    writes.begin()
    answer("two")
    answer("three")
    expect(seen).toEqual(["one"])
    await turn()
    expect(seen).toEqual(["one", "two", "three"])
    writes.begin()
    answer("four")
    expect(seen).toEqual(["one", "two", "three", "four"])
  })

  test("do not wait where the turn that brought their requests is over", async () => {
    const { writes, seen, answer } = watched()
    writes.begin()
    await turn()
    answer("one")
    answer("two")
    expect(seen).toEqual(["one", "two"])
  })

  test("are written early, and once, where something else is to be written after them", async () => {
    const { writes, seen, answer } = watched()
    writes.begin()
    for (const name of ["one", "two", "three"]) answer(name)
    writes.flush()
    expect(seen).toEqual(["one", "two", "three"])
    await turn()
    expect(seen).toEqual(["one", "two", "three"])
  })

  test("are written all, also where one of them throws", async () => {
    const { writes, seen, answer } = watched()
    writes.begin()
    answer("one")
    answer("two")
    writes.send(() => {
      throw new Error("three")
    })
    answer("four")
    answer("five")
    expect(() => writes.flush()).toThrow("three")
    expect(seen).toEqual(["one", "two"])
    await turn()
    expect(seen).toEqual(["one", "two", "four", "five"])
  })
})
