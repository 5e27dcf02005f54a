/**
 * A source of a package has at most 220 lines: in a longer one a second concept has moved in, which
 * gets a file of its own. Entries, which only list what a package exports, may be longer.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const LINES = 220

const packages = join(import.meta.dirname, "../../packages")

type Manifest = {
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const entriesOf = (folder: string): ReadonlyArray<string> => {
  const { exports = {} }: Manifest = JSON.parse(
    readFileSync(join(packages, folder, "package.json"), "utf8")
  )
  return Object.values(exports).map(({ "@petstore/source": source = "" }) => join(folder, source))
}

const linesOf = (text: string): number => text.trimEnd().split("\n").length

const sources = readdirSync(packages).flatMap((folder) => {
  const entries = new Set(entriesOf(folder))
  return readdirSync(join(packages, folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, "src", file))
    .filter((file) => !entries.has(file))
    .map((file) => ({ file, lines: linesOf(readFileSync(join(packages, file), "utf8")) }))
})

test("no source of a package has more lines, but for entries", () => {
  expect(sources.length).toBeGreaterThan(400)
  expect(sources.filter(({ lines }) => lines > LINES)).toEqual([])
})

test("a line is counted, and the end of the last one is none", () =>
  expect(linesOf("one\n\nthree\n")).toBe(3))
