/**
 * What importing a package loads, followed from module to module into effect itself: each costs a
 * host time before it has done anything.
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { loadsOf } from "./importsOf.js"

const root = join(import.meta.dirname, "../..")
const effect = join(
  dirname(createRequire(import.meta.url).resolve("effect/package.json")),
  "dist/esm"
)

/** The file of a module, or undefined for what is neither ours nor of effect. */
const fileOf = (specifier: string, importer: string): string | undefined => {
  if (specifier.startsWith(".")) {
    const file = join(importer, "..", specifier)
    return existsSync(file) ? file : file.replace(/\.js$/, ".ts")
  }
  if (specifier === "effect" || specifier.startsWith("effect/")) {
    return join(effect, `${specifier.slice("effect/".length) || "index"}.js`)
  }
  const [, library = "", module] = /^@effect\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  if (module !== undefined)
    return join(effect, "../../../@effect", library, "dist/esm", `${module}.js`)
  const [, name, entry = "index"] = /^@petstore\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? []
  if (name === undefined) return undefined
  return join(root, "packages", name, "src", entry === "schema" ? "schema/index.ts" : `${entry}.ts`)
}

/** How each module came to be loaded: the path of imports from the entry to it. */
const loadedBy = (entry: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const paths = new Map<string, ReadonlyArray<string>>([[entry, [entry]]])
  for (const [file, path] of paths) {
    for (const specifier of loadsOf(readFileSync(file, "utf8"))) {
      const target = fileOf(specifier, file)
      if (target !== undefined && !paths.has(target)) paths.set(target, [...path, target])
    }
  }
  return paths
}

const SCHEMA = join(effect, "Schema.js")
const entryOf = (name: string): string => join(root, "packages", name, "src/index.ts")

describe("importing", () => {
  it.each(["core", "storage-memory", "storage-sqlite", "storage-conformance"])(
    "@petstore/%s does not load effect/Schema, which takes longer than all the rest",
    (name) => {
      const loaded = loadedBy(entryOf(name))
      expect(loaded.has(join(effect, "Effect.js"))).toBe(true)
      expect(loaded.get(SCHEMA)).toBeUndefined()
    }
  )

  it("@petstore/core/schema does, so that this test would notice", () => {
    const path = loadedBy(join(root, "packages/core/src/schema/index.ts")).get(SCHEMA)
    expect(path?.at(-2)).toMatch(/schemaOf\.ts$|ParseResult\.js$/)
  })
})
