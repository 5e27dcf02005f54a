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
  "packages/storage-sqlite/src/connection/readFileHeaders.ts":
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

const namesDriver = (source: string): boolean =>
  /["'`](better-sqlite3|node:sqlite)["'`/]|getBuiltinModule/.test(source)

const importsDriver = (source: string): boolean =>
  /(from|import\(|import|require\()\s*["'`](better-sqlite3|node:sqlite)["'`/]/.test(source)

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

  test("connections are made by the drivers, and asked for in one module", () => {
    const matching = (pattern: RegExp): ReadonlyArray<string> =>
      filesOf("packages/storage-sqlite/src").filter((file) =>
        pattern.test(readFileSync(join(root, file), "utf8"))
      )
    expect(matching(/new [\w.]*(Class|Connection|Database|DatabaseSync)\(/).toSorted()).toEqual([
      "packages/storage-sqlite/src/driver/betterSqlite3.ts",
      "packages/storage-sqlite/src/driver/nodeSqlite.ts"
    ])
    expect(matching(/\bdriver(Of\(.*\))?\.open\(/)).toEqual([
      "packages/storage-sqlite/src/connection/OpenFiles.ts"
    ])
  })

  test("SQLite's drivers are named in one folder, and imported by nothing, for types either", () => {
    const sources = readdirSync(join(root, "packages")).flatMap((name) =>
      filesOf(`packages/${name}/src`)
    )
    const naming = sources.filter((file) => namesDriver(readFileSync(join(root, file), "utf8")))
    expect(naming.length).toBeGreaterThan(0)
    expect(
      naming.filter((file) => !file.startsWith("packages/storage-sqlite/src/driver/"))
    ).toEqual([])
    expect(sources.filter((file) => importsDriver(readFileSync(join(root, file), "utf8")))).toEqual(
      []
    )
  })

  test("a driver that is named or imported is found", () => {
    expect(namesDriver('import type { Database } from "better-sqlite3"')).toBe(true)
    expect(namesDriver("process.getBuiltinModule(name)")).toBe(true)
    expect(namesDriver("// better-sqlite3 is a package")).toBe(false)
    expect(importsDriver('import type { Database } from "better-sqlite3"')).toBe(true)
    expect(importsDriver('const sqlite = await import("node:sqlite")')).toBe(true)
    expect(importsDriver('const PACKAGE = "better-sqlite3"')).toBe(false)
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
