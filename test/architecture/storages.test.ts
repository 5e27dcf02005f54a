/**
 * Storages are handed their collections and work from their declarations: they import nothing of
 * the shop. What is about the shop's own tables by its nature is kept in folders of its own.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { isIn, modulesOf } from "./layering.js"

const packages = join(import.meta.dirname, "../../packages")

const NAMED = /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)"/g

/** What a source imports or exports by name, with the module that it is from. */
const namesOf = (source: string): ReadonlyArray<{ readonly name: string; readonly from: string }> =>
  [...source.matchAll(NAMED)].flatMap(([, names = "", from = ""]) =>
    names
      .split(",")
      .map((each) => each.trim().replace(/^type\s+/, ""))
      .filter((each) => each !== "")
      .map((each) => ({ name: each.split(/\s+as\s+/)[0] ?? "", from }))
  )

/** The file of core that each of its exports is from. */
const ORIGINS = new Map(
  ["index.ts", "storage.ts", "adapter.ts"].flatMap((entry) =>
    namesOf(readFileSync(join(packages, "core/src", entry), "utf8")).map(
      ({ name, from }) => [name, from.replace(/^\.\//, "")] as const
    )
  )
)

/** A storage knows of core what these have. */
const FOR_STORAGES = ["value", "engine"]

/** What is handed to storages, and a rule that they apply to what they were given. */
const HANDED: ReadonlySet<string> = new Set([
  // The list of collections that a storage is built for.
  "Collections",
  // How two counts of one caller are added.
  "mergeUsage"
])

/** The names of the shop that a source imports from core. */
export const namesOfTheShop = (source: string): ReadonlyArray<string> =>
  namesOf(source)
    .filter(({ from }) => from.startsWith("@petstore/core"))
    .map(({ name }) => name)
    .filter((name) => {
      const origin = ORIGINS.get(name)
      return (
        !HANDED.has(name) &&
        !FOR_STORAGES.some((folder) => origin !== undefined && isIn(origin, folder))
      )
    })

describe.each([
  // Stores for tests, with the shop and what it does.
  ["storage-memory", ["testing"], ["index.ts"]],
  // The shop's own checks, what a restored shop takes over, and what an operator wants to know of
  // it.
  [
    "storage-sqlite",
    ["shop", "status"],
    ["copy/backup.ts", "copy/checkDraft.ts", "copy/restore.ts", "index.ts", "verify.ts"]
  ]
] as const)("%s", (packageName, aboutTheShop, importers) => {
  const { files, arrows } = modulesOf(packageName)
  const storage = files.filter((file) => !aboutTheShop.some((folder) => isIn(file, folder)))

  test("imports nothing of the shop, also for types alone", () => {
    const found = storage.flatMap((file) =>
      namesOfTheShop(readFileSync(join(packages, packageName, "src", file), "utf8")).map(
        (name) => `${file} imports ${name}`
      )
    )
    expect(found).toEqual([])
  })

  test("names its imports from core, so that each can be looked up", () => {
    const unnamed = storage.filter((file) =>
      /(?:\*\s+as\s+\w+\s+from\s+|import\()"@petstore\/core/.test(
        readFileSync(join(packages, packageName, "src", file), "utf8")
      )
    )
    expect(unnamed).toEqual([])
  })

  test("has what is about the shop in folders that few files import", () => {
    const found = arrows
      .filter(({ to }) => aboutTheShop.some((folder) => isIn(to, folder)))
      .filter(({ from }) => storage.includes(from))
      .map(({ from }) => from)
    expect([...new Set(found)].sort()).toEqual(importers)
  })
})

describe("an import of the shop", () => {
  test("is found, also of a type, under another name, or between others", () => {
    expect(
      namesOfTheShop('import { type PetRow, pets as animals, get } from "@petstore/core"')
    ).toEqual(["PetRow", "pets"])
    expect(
      namesOfTheShop('import type {\n  Collection,\n  Order\n} from "@petstore/core"')
    ).toEqual(["Order"])
    expect(namesOfTheShop('export { COLLECTIONS } from "@petstore/core"')).toEqual(["COLLECTIONS"])
  })

  test("is none of the declarations that storages work from", () =>
    expect(
      namesOfTheShop('import { type Collection, Collections, fold } from "@petstore/core"')
    ).toEqual([]))
})
