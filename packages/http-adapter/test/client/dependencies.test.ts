import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const src = join(import.meta.dirname, "../../src")

/** What a module needs when it runs, and all that it imports; type imports are gone by then. */
const needs = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return new Set()
  seen.add(file)
  const source = readFileSync(file, "utf8").replace(/(import|export) type [^;]*? from "[^"]+"/g, "")
  const found = new Set<string>()
  for (const [, specifier = ""] of source.matchAll(/from "([^"]+)"/g)) {
    if (!specifier.startsWith(".")) found.add(specifier)
    else
      for (const each of needs(join(file, "..", specifier.replace(/\.js$/, ".ts")), seen))
        found.add(each)
  }
  return found
}

it("the client needs nothing but the store's core, and that nothing but effect", () => {
  expect([...needs(join(src, "client/index.ts"))]).toEqual([
    "@petstore/core",
    "@petstore/core/adapter"
  ])
  for (const entry of ["index.ts", "adapter.ts"]) {
    const core = needs(join(src, "../../core/src", entry))
    expect([...core].filter((each) => !/^effect(\/|$)/.test(each))).toEqual([])
  }
})
