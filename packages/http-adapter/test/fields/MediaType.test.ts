import { describe, expect, it } from "vitest"
import { isJson } from "../../src/fields/MediaType.js"

describe("MediaType", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json;charset=UTF-8",
    'application/json ; charset="utf-8"',
    "application/json; charset=utf8; profile=x",
    "application/json;"
  ])("%s is JSON", (field) => {
    expect(isJson(field, "POST")).toBe(true)
  })

  it.each([
    "text/plain",
    "application/json charset=utf8",
    "application/json; charset=utf-16",
    "application/json; charset=latin1",
    "application/json; charset",
    "application/json, text/plain",
    "application/jsonp",
    "application/vnd.api+json",
    "json",
    "",
    "application/merge-patch+json"
  ])("%j is not JSON of a POST", (field) => {
    expect(isJson(field, "POST")).toBe(false)
  })

  it("a PATCH also takes a merge patch", () => {
    expect(isJson("application/merge-patch+json; charset=utf-8", "PATCH")).toBe(true)
    expect(isJson("application/json", "PATCH")).toBe(true)
  })

  it("no field keeps it busy", () => {
    expect(isJson(`application/json${"; a=b".repeat(3_000)}"`, "POST")).toBe(false)
    expect(isJson(`application/json${" ; ".repeat(8_000)}"`, "POST")).toBe(false)
  })
})
