import * as Either from "effect/Either"
import { describe, expect, test } from "vitest"
import { parseStatusMap } from "../../../src/import/list/StatusMap.js"

const parsed = (...texts: ReadonlyArray<string>) =>
  Either.match(parseStatusMap(texts), {
    onLeft: (why) => why,
    onRight: (map) => Object.fromEntries(map)
  })

describe("a status map", () => {
  test("is pairs with commas between them, white space aside", () => {
    expect(parsed("Adoption=sold, Return to owner = pending")).toEqual({
      Adoption: "sold",
      "Return to owner": "pending"
    })
  })

  test("may be given in several parts", () => {
    expect(parsed("Adoption=sold", "Foster=pending")).toEqual({
      Adoption: "sold",
      Foster: "pending"
    })
  })

  test("can say what an empty status becomes", () => {
    expect(parsed("=available")).toEqual({ "": "available" })
  })

  test("takes the last equals sign, so that a value may have one", () => {
    expect(parsed("a=b=sold")).toEqual({ "a=b": "sold" })
  })

  test("can be a JSON object, for values with commas", () => {
    expect(parsed('{"Died, in kennel": "sold", "": "available"}')).toEqual({
      "Died, in kennel": "sold",
      "": "available"
    })
  })

  test("is refused by naming what is wrong with it", () => {
    expect(parsed("Adoption=gone")).toBe(
      "'Adoption' can become available, pending, sold, not 'gone'"
    )
    expect(parsed("Adoption")).toBe("expected VALUE=STATUS, got 'Adoption'")
    expect(parsed("Adoption=sold,")).toBe("expected VALUE=STATUS, got ''")
    expect(parsed("Adoption=sold,Adoption=pending")).toBe(
      "'Adoption' is mapped to sold and to pending"
    )
    expect(parsed("{nope")).toBe('expected a JSON object such as {"Adoption":"sold"}')
    expect(parsed('{"Adoption":1}')).toBe("'Adoption' can become available, pending, sold, not '1'")
  })
})
