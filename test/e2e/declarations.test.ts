/** What compilers read of the built packages. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { importsOf } from "../architecture/importsOf.js"

const packages = fileURLToPath(new URL("../../packages", import.meta.url))

/** The declarations that the entries of a package lead to. */
const declarationsOf = (name: string): ReadonlyArray<string> => {
  const dist = join(packages, name, "dist")
  const reached = new Set(
    readdirSync(dist)
      .filter((file) => file.endsWith(".d.ts"))
      .map((file) => join(dist, file))
  )
  // What is added meanwhile is visited too.
  for (const file of reached)
    for (const specifier of importsOf(readFileSync(file, "utf8")))
      if (specifier.startsWith("."))
        reached.add(join(dirname(file), specifier.replace(/\.js$/, ".d.ts")))
  return Array.from(reached)
}

const isOfDriver = (specifier: string): boolean =>
  /^(@types\/)?better-sqlite3\b|^node:sqlite$/.test(specifier)

test("no declaration needs the types of a driver of SQLite", () => {
  const declarations = readdirSync(packages).flatMap(declarationsOf)
  expect(declarations.some((file) => file.endsWith("driver/Driver.d.ts"))).toBe(true)
  const wrong = declarations.filter((file) => {
    const source = readFileSync(file, "utf8")
    return importsOf(source).some(isOfDriver) || /reference types="[^"]*sqlite/.test(source)
  })
  expect(wrong).toEqual([])
  expect(
    importsOf('export declare const a: import("better-sqlite3").Database').some(isOfDriver)
  ).toBe(true)
})
