import { describe, expect, it } from "vitest"
import { makeRouter } from "../../src/compile/Router.js"

const route = makeRouter([
  { method: "GET", path: "/pets" },
  { method: "POST", path: "/pets" },
  { method: "GET", path: "/pets/:petId" },
  { method: "DELETE", path: "/pets/:petId" },
  { method: "PUT", path: "/store/inventory/:petId" }
])

describe("Router", () => {
  it("finds fixed paths and captures a parameter", () => {
    expect(route("/pets")?.route.byMethod.get("POST")?.path).toBe("/pets")
    expect(route("/pets/12")?.parameter).toBe("12")
    expect(route("/store/inventory/7")?.parameter).toBe("7")
  })

  it("answers HEAD wherever it answers GET, and names every method a path has", () => {
    expect(route("/pets/1")?.route.byMethod.get("HEAD")?.method).toBe("GET")
    expect(route("/pets/1")?.route.allow).toBe("GET, DELETE, HEAD, OPTIONS")
    expect(route("/store/inventory/1")?.route.allow).toBe("PUT, OPTIONS")
  })

  it.each([
    "/",
    "",
    "*",
    "//",
    "/pets/",
    "//pets",
    "/pets//",
    "/Pets",
    "/pets/1/2",
    "/store",
    "/store/inventory",
    "pets"
  ])("%j leads nowhere", (path) => {
    expect(route(path)).toBeUndefined()
  })

  it("compares percent-decoded segments, and a decoded slash is no separator", () => {
    expect(route("/p%65ts/%31")?.parameter).toBe("1")
    expect(route("/pets/%201")?.parameter).toBe(" 1")
    expect(route("/pets%2F1")).toBeUndefined()
    expect(route("/pets/1%2F2")?.parameter).toBe("1/2")
    expect(route("/pets/%")?.parameter).toBe("%")
    expect(route("/pets/%E0%A4%A")?.parameter).toBe("%E0%A4%A")
    expect(route("/pets%")).toBeUndefined()
  })
})
