/**
 * docs/embedding.md names everything that a host can ask of a store, hand in, and do with a store
 * for tests.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { PetStore } from "@petstore/core"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import ts from "typescript"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")
const page = readFileSync(join(root, "docs/embedding.md"), "utf8")

/** Each heading's text up to the next one. */
const section = (heading: string): string =>
  page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? ""

await using store = await PetStore.open({ storage: MemoryStorage.layer })
await using testStore = await openTestStore()

test("the table of calls names every verb of every group", () => {
  const calls = section("Calls")
  const groups: Readonly<Record<string, object>> = {
    ...store.engine.shop,
    limits: store.limits,
    changes: store.changes
  }
  const missing = Object.entries(groups).flatMap(([group, verbs]) => {
    const row =
      calls
        .split("\n")
        .find((line) => line.startsWith("|") && line.includes(`\`store.${group}\``)) ?? ""
    return Object.keys(verbs)
      .filter((verb) => !row.includes(`\`${verb}\``))
      .map((verb) => `${group}.${verb}`)
  })
  expect(missing).toEqual([])
})

/** The names of what `PetStore.open` takes beside the storage. */
const optionNames = (): ReadonlyArray<string> => {
  const file = join(root, "packages/core/src/PolicyOptions.ts")
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023)
  return source.statements.flatMap((statement) =>
    ts.isTypeAliasDeclaration(statement) && ts.isTypeLiteralNode(statement.type)
      ? statement.type.members.flatMap(({ name }) =>
          name && ts.isIdentifier(name) ? [name.text] : []
        )
      : []
  )
}

test("the table of rules has a row for every option, and for the clock", () => {
  const rules = section("Rules of your own")
  const names = [...optionNames(), "clock"]
  expect(names.length).toBeGreaterThan(6)
  expect(names.filter((name) => !rules.includes(`\n| \`${name}\` |`))).toEqual([])
})

test("the table of tests names all that a store for tests has besides", () => {
  const tests = section("In tests")
  const names = Object.keys(testStore).filter((name) => !(name in store))
  expect(names.length).toBeGreaterThan(8)
  // `nowMs` says what the others have done.
  expect(names.filter((name) => name !== "nowMs" && !tests.includes(`\`${name}(`))).toEqual([])
})
