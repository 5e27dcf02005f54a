/** To which step of a request `npm run bench -- budget` adds the time of a function. */
import { existsSync, readdirSync } from "node:fs"
import { builtinModules } from "node:module"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { FILES, stepOf } from "../bench/budget/steps.js"
import { betterSqlite3Path } from "./openSqlite.js"

const root = join(import.meta.dirname, "../..")

/** The name of a package, and of a file in it, without the folder `src`. */
const OWN = /^(core|http-adapter|storage-memory|storage-sqlite)\/(.*)$/

const isInPackage = (name: string, beginning: string): boolean =>
  readdirSync(join(root, "packages", name, "src"), { recursive: true }).some((file) =>
    String(file).replaceAll("\\", "/").startsWith(beginning)
  )

/** What npm installs on some Nodes only. */
const isOptional = (beginning: string): boolean =>
  beginning === "better-sqlite3/" && betterSqlite3Path() === ""

const exists = (beginning: string): boolean => {
  const [, name, rest] = OWN.exec(beginning) ?? []
  if (name !== undefined && rest !== undefined) return isInPackage(name, rest)
  const builtin = beginning.replace(/^node:/, "")
  if (builtin !== beginning) return builtinModules.some((module) => module.startsWith(builtin))
  return existsSync(join(root, "node_modules", beginning))
}

const of = (file: string) => stepOf("a function", `/${file}`)

describe("the budget of a request", () => {
  const beginnings = FILES.flatMap(([, each]) => each).filter((each) => !isOptional(each))
  it.each(beginnings)("has a file that begins %s", (beginning) =>
    expect(exists(beginning)).toBe(true)
  )

  it("would miss a file that was renamed", () => {
    expect(exists("http-adapter/node/Outbox")).toBe(false)
    expect(exists("core/admission/")).toBe(false)
  })

  it.each([
    ["packages/core/dist/access/admission/Authenticator.js", "admit"],
    ["packages/core/dist/access/limit/Limiter.js", "admit"],
    ["packages/core/dist/value/Decoder.js", "decode"],
    ["packages/core/dist/shop/pet/operations.js", "engine"],
    ["packages/http-adapter/dist/node/NodeIncoming.js", "read the head"],
    ["packages/http-adapter/dist/node/WriteCoalescer.js", "write"],
    ["packages/http-adapter/dist/compile/Router.js", "route"],
    ["packages/http-adapter/dist/compile/Encoder.js", "encode"],
    ["node_modules/@petstore/storage-sqlite/dist/table/Table.js", "engine"],
    ["node_modules/effect/dist/esm/Effect.js", "engine"]
  ])("adds %s to the step %s", (file, step) => {
    expect(existsSync(join(root, file.replace("/dist/", "/src/").replace(/js$/, "ts")))).toBe(
      !file.startsWith("node_modules/effect")
    )
    expect(of(file)).toBe(step)
  })

  it("leaves a regular expression to its caller", () => {
    expect(stepOf("(anonymous)", "")).toBeUndefined()
    expect(stepOf("(garbage collector)", "")).toBe("garbage collection")
  })
})
