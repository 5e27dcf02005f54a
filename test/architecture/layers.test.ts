/**
 * The layers of packages: a folder imports from its own layer or from lower ones, also for types
 * alone. Modules of one layer do not import each other in a circle.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import {
  arrowsOf,
  circleIn,
  entryArrows,
  isIn,
  type Layers,
  modulesOf,
  withoutFile,
  withoutLayer,
  wrongArrows
} from "./layering.js"

const CORE: Layers = [
  ["value"],
  ["engine/program"],
  ["engine/port", "engine/list"],
  ["engine/operation"],
  ["engine/idempotency"],
  ["access/account", "shop"],
  ["access/key", "access/limit"],
  ["access/admission", "access/deprecation"],
  ["feed"],
  ["webhook"],
  ["registry", "schema"],
  ["PolicyOptions.ts"],
  ["Engine.ts"],
  ["api"],
  ["PetStore.ts", "changes.ts"],
  ["index.ts", "storage.ts", "adapter.ts"]
]

const STORAGE_MEMORY: Layers = [
  ["CowToken.ts", "UsageBook.ts"],
  ["index"],
  ["rows"],
  ["Table.ts"],
  ["Store.ts", "UndoLog.ts"],
  ["Interpreter.ts"],
  ["Memory.ts"],
  ["MemoryStorage.ts", "testing"],
  ["index.ts"]
]

const HTTP_ADAPTER: Layers = [
  ["timers.ts"],
  ["fields", "json"],
  ["contract"],
  ["compile", "openapi", "client"],
  ["exchange"],
  ["observe", "events", "docs"],
  ["serve"],
  ["node", "web", "webhooks"],
  ["storeTransport.ts"],
  ["index.ts"]
]

const CLI: Layers = [
  ["CommandFailed.ts", "Version.ts", "secret.ts"],
  ["terminal"],
  ["arguments", "demo", "input", "store"],
  ["import/csv"],
  ["import/list"],
  ["import/progress", "import/service"],
  ["deprecations", "history", "import", "keys", "limits", "openapi", "seed", "status", "webhooks"],
  ["accounts", "file"],
  ["serve"],
  ["commandLine.ts"],
  ["index.ts", "main.ts"]
]

const STORAGE_SQLITE: Layers = [
  ["driver"],
  ["base"],
  ["schema"],
  ["migrations"],
  ["connection", "codec", "wal"],
  ["cache"],
  ["table"],
  ["read"],
  ["write"],
  ["usage"],
  ["verify"],
  ["shop"],
  ["status"],
  ["copy"],
  ["SqliteOptions.ts", "driverInfo.ts"],
  ["verify.ts", "SqliteStorage.ts"],
  ["index.ts"]
]

const STORAGE_CONFORMANCE: Layers = [
  ["Claim.ts", "programs.ts", "samples.ts"],
  ["expect.ts"],
  ["snapshot.ts", "direct.ts"],
  [
    "atomicity.ts",
    "copies.ts",
    "dataVersion.ts",
    "everyCollection.ts",
    "ids.ts",
    "isolation.ts",
    "order.ts",
    "paging.ts",
    "ranges.ts",
    "readiness.ts",
    "sequence.ts",
    "sharedSnapshot.ts",
    "trim.ts",
    "usage.ts",
    "values.ts"
  ],
  ["claims.ts"],
  ["index.ts"]
]

/** What belongs to the shop. The engine is made for any collections. */
const OF_THE_SHOP = ["shop", "access", "feed", "webhook"]

describe.each([
  ["core", CORE],
  ["storage-memory", STORAGE_MEMORY],
  ["storage-sqlite", STORAGE_SQLITE],
  ["storage-conformance", STORAGE_CONFORMANCE],
  ["http-adapter", HTTP_ADAPTER],
  ["cli", CLI]
] as const)("%s", (packageName, layers) => {
  const { files, arrows } = modulesOf(packageName)

  test("has a layer for every file", () => expect(withoutLayer(layers, files)).toEqual([]))

  test("has files in every folder of the list", () =>
    expect(withoutFile(layers, files)).toEqual([]))

  test("has no import from a lower folder to a higher one, also for types alone", () =>
    expect(wrongArrows(layers, arrows)).toEqual([]))

  test("has no files that import each other in a circle, also for types alone", () =>
    expect(circleIn(arrows)).toEqual([]))

  test("has no folders that import each other in a circle, however deep they are", () =>
    expect(circleIn(entryArrows(arrows))).toEqual([]))
})

describe("core", () => {
  const { arrows } = modulesOf("core")

  test("has an engine that imports nothing of the shop", () =>
    expect(
      arrows.filter(
        ({ from, to }) => isIn(from, "engine") && OF_THE_SHOP.some((folder) => isIn(to, folder))
      )
    ).toEqual([]))

  test("has programs that write rows by their declarations, but for the replay of stored rows", () => {
    const bare = modulesOf("core").files.filter(
      (file) =>
        OF_THE_SHOP.some((folder) => isIn(file, folder)) &&
        /import \{[^}]*\b(insert|replace)\b[^}]*\} from "[^"]*\/program\/requests\.js"/.test(
          readFileSync(join(import.meta.dirname, "../../packages/core/src", file), "utf8")
        )
    )
    expect(bare).toEqual(["shop/change/replayChange.ts"])
  })

  test("has a shop and an access that import nothing of each other", () =>
    expect(
      arrows.filter(
        ({ from, to }) =>
          (isIn(from, "shop") && isIn(to, "access")) || (isIn(from, "access") && isIn(to, "shop"))
      )
    ).toEqual([]))
})

describe("an import", () => {
  test("of a type from a higher folder is found", () =>
    expect(
      wrongArrows(
        CORE,
        arrowsOf("engine/list/Cursor.ts", 'import type { Pet } from "../../shop/pet/Pet.js"')
      )
    ).toEqual(["engine/list/Cursor.ts imports shop/pet/Pet.ts"]))

  test("from a neighbour in the same layer is found", () =>
    expect(
      wrongArrows(CORE, arrowsOf("access/key/rows.ts", 'import { DAYS } from "../limit/Window.js"'))
    ).toHaveLength(1))

  test("of what no layer has is found", () =>
    expect(
      wrongArrows(CORE, arrowsOf("value/Text.ts", 'import { x } from "../other/x.js"'))
    ).toHaveLength(1))

  test("from a lower folder is fine", () =>
    expect(
      wrongArrows(
        CORE,
        arrowsOf("feed/Feed.ts", 'export { changes } from "../shop/change/rows.js"')
      )
    ).toEqual([]))

  test("that closes a circle of folders is found, where its files are in none", () => {
    const arrows = [
      ...arrowsOf("shop/pet/operations.ts", 'import { orders } from "../order/rows.js"'),
      ...arrowsOf("shop/order/stockMoves.ts", 'import type { PetRow } from "../pet/rows.js"')
    ]
    expect(circleIn(arrows)).toEqual([])
    expect(circleIn(entryArrows(arrows))).toEqual(["shop/pet", "shop/order", "shop/pet"])
  })

  test("of a type that closes a circle is found", () =>
    expect(
      circleIn([
        ...arrowsOf("shop/pet/Pet.ts", 'import { status } from "./PetStatus.js"'),
        ...arrowsOf("shop/pet/PetStatus.ts", 'import type { Pet } from "./Pet.js"')
      ])
    ).toEqual(["shop/pet/Pet.ts", "shop/pet/PetStatus.ts", "shop/pet/Pet.ts"]))
})
