/**
 * Closing a descriptor of a database gives up the locks that the process has on it. So only the
 * modules that know which files are open may touch them other than through SQLite.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file))

/** What a file imports of node:fs by name; "*" where it takes all of it. */
export const fileSystemImports = (source: string): ReadonlyArray<string> =>
  [
    ...source.matchAll(
      /(?:import|export)\s+([^"';]*?)\s+from\s+["'](?:node:)?fs(?:\/promises)?["']/g
    )
  ]
    .flatMap(([, names = ""]) =>
      names.startsWith("{") ? names.slice(1, names.indexOf("}")).split(",") : ["*"]
    )
    .map((name) => name.trim().split(/\s+as\s+/)[0] ?? "")
    .filter((name) => name !== "" && !name.startsWith("type "))
    .concat(/(?:require|import|getBuiltinModule)\(\s*["'](?:node:)?fs/.test(source) ? ["*"] : [])

/** These ask for a name or its properties, and open no descriptor on what they are given. */
const WITHOUT_DESCRIPTOR: ReadonlySet<string> = new Set([
  "accessSync",
  "chmodSync",
  "chownSync",
  "constants",
  "existsSync",
  "linkSync",
  "lstatSync",
  "mkdtempSync",
  "readdirSync",
  "readlinkSync",
  "realpathSync",
  "renameSync",
  "rmSync",
  "statSync",
  "statfsSync"
])

/** Files of storage-sqlite that may open descriptors, and on what. */
const MAY_OPEN: Readonly<Record<string, string>> = {
  "packages/storage-sqlite/src/connection/peek.ts":
    "databases and logs that this process has no connection to",
  "packages/storage-sqlite/src/connection/createFile.ts": "drafts of its own, and folders",
  "packages/storage-sqlite/src/connection/fileSystem.ts": "the system's list of mounts",
  "packages/storage-sqlite/src/connection/processes.ts": "the system's list of processes"
}

/**
 * Files of the command that may open descriptors: on lists, reports, locks and secrets, none of
 * which is a store.
 */
const MAY_OPEN_IN_COMMAND: ReadonlyArray<RegExp> = [
  /^packages\/cli\/src\/import\//,
  /^packages\/cli\/src\/input\//,
  /^packages\/cli\/src\/limits\//,
  /^packages\/cli\/src\/webhooks\/secretFile\.ts$/
]

/** `status` reports the name of the driver. */
const NAMING_THE_DRIVER = [
  "packages/storage-sqlite/src/status/StoreStatus.ts",
  "packages/storage-sqlite/src/status/status.ts"
]

const openers = (folder: string): ReadonlyArray<string> =>
  filesOf(folder).filter((file) =>
    fileSystemImports(readFileSync(join(root, file), "utf8")).some(
      (name) => !WITHOUT_DESCRIPTOR.has(name)
    )
  )

describe("a database, its log and what is shared of it", () => {
  test("are opened by SQLite, and by nothing else of the storage than what knows which files are open", () =>
    expect(openers("packages/storage-sqlite/src").toSorted()).toEqual(
      Object.keys(MAY_OPEN).toSorted()
    ))

  test("are opened by nothing of the command", () =>
    expect(
      openers("packages/cli/src").filter(
        (file) => !MAY_OPEN_IN_COMMAND.some((allowed) => allowed.test(file))
      )
    ).toEqual([]))

  test("connections are made in one module", () =>
    expect(
      filesOf("packages/storage-sqlite/src").filter((file) =>
        /new (Connection|Database)\(/.test(readFileSync(join(root, file), "utf8"))
      )
    ).toEqual(["packages/storage-sqlite/src/connection/OpenFiles.ts"]))

  test("SQLite's driver is imported as a value by nothing, and named in one module", () => {
    const naming = readdirSync(join(root, "packages"))
      .flatMap((name) => filesOf(`packages/${name}/src`))
      .filter((file) =>
        readFileSync(join(root, file), "utf8")
          .replace(/import type [^;]*? from "better-sqlite3"/g, "")
          .match(/["'`](better-sqlite3|node:sqlite)["'`/]|getBuiltinModule/)
      )
    expect(naming.toSorted()).toEqual([
      "packages/storage-sqlite/src/connection/driver.ts",
      ...NAMING_THE_DRIVER
    ])
  })

  test("what opens them otherwise is found", () => {
    expect(fileSystemImports('import { statSync, openSync as open } from "node:fs"')).toEqual([
      "statSync",
      "openSync"
    ])
    expect(fileSystemImports('import * as fs from "fs"')).toEqual(["*"])
    expect(
      fileSystemImports('import {\n  type Stats,\n  readFile\n} from "node:fs/promises"')
    ).toEqual(["readFile"])
    expect(fileSystemImports('const { openSync } = await import("node:fs")')).toEqual(["*"])
  })
})
