import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { orderTexts, parseSortOrder } from "../../../src/engine/list/SortOrder.js"

const SORTS = { id: "id", name: "name" }

describe("orderTexts", () => {
  it("are all taken, and each once", () => {
    const texts = orderTexts(SORTS)
    expect(new Set(texts).size).toBe(12)
    for (const text of texts) expect(Either.isRight(parseSortOrder(SORTS, text)), text).toBe(true)
  })

  it("leave out nothing that is taken", () => {
    const words = ["id", "-id", "name", "-name", "", "--id", "Name"]
    const texts = [
      ...words,
      ...words.flatMap((first) => words.map((second) => `${first},${second}`))
    ]
    const taken = texts.filter((text) => Either.isRight(parseSortOrder(SORTS, text)))
    expect(taken.sort()).toEqual([...orderTexts(SORTS)].sort())
  })
})
