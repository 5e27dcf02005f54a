/**
 * What packages export is what their users read about: each name says what it is, and the API
 * reference is made of it.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")

type Entry = { readonly name: string; readonly file: string }

const entries = readdirSync(join(root, "packages")).flatMap((folder): ReadonlyArray<Entry> => {
  const {
    exports
  }: { readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>> } = JSON.parse(
    readFileSync(join(root, "packages", folder, "package.json"), "utf8")
  )
  return Object.entries(exports).map(([path, { "@petstore/source": source = "" }]) => ({
    name: `@petstore/${folder}${path.slice(1)}`,
    file: join(root, "packages", folder, source)
  }))
})

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "tsconfig.docs.json"), (path) => ts.sys.readFile(path)).config,
  ts.sys,
  root
)
const program = ts.createProgram(
  entries.map(({ file }) => file),
  options
)
const checker = program.getTypeChecker()

/** What an entry exports, with what an editor shows of it. */
const documented = ({ file }: Entry): ReadonlyMap<string, string> => {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  const names = module === undefined ? [] : checker.getExportsOfModule(module)
  return new Map(
    names.map((symbol) => {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      return [symbol.name, ts.displayPartsToString(meant.getDocumentationComment(checker))]
    })
  )
}

/** Its names are those of the records, once more, as schemas. */
const SCHEMAS = "@petstore/core/schema"

test.each(entries)("every name that $name exports says what it is", (entry) => {
  const core = entries.find(({ name }) => name === "@petstore/core")
  const elsewhere = entry.name === SCHEMAS && core !== undefined ? documented(core) : undefined
  const names = [...documented(entry)]
  expect(names.length).toBeGreaterThan(0)
  expect(
    names.filter(([name, text]) => (elsewhere?.get(name) ?? text) === "").map(([name]) => name)
  ).toEqual([])
})
