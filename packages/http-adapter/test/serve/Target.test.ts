import { describe, expect, it } from "vitest"
import { targetOf } from "../../src/serve/Target.js"

describe("Target", () => {
  it.each([
    ["/pets", "/pets", ""],
    ["/pets?a=b?c", "/pets", "a=b?c"],
    ["/?", "/", ""],
    ["http://shop.test/pets/1?x=1", "/pets/1", "x=1"],
    ["HTTPS://shop.test:8443/pets", "/pets", ""],
    ["http://shop.test", "/", ""],
    ["http://shop.test?x=1", "/", "x=1"],
    ["//", "//", ""],
    ["*", "*", ""],
    ["/pets#part?x", "/pets", ""]
  ])("%s is the path %s with the query %j", (target, path, query) => {
    expect(targetOf(target)).toEqual({ path, query })
  })
})
