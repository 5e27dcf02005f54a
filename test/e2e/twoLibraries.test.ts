/**
 * Two copies of SQLite in one process never have one file open: each would drop the locks of the
 * other.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import type { DriverName } from "@petstore/storage-sqlite"
import { expect, test } from "vitest"
import { categoriesIn } from "./acknowledged.js"
import { folders } from "./aFolder.js"
import { betterSqlite3Path, driversAtHand } from "./openSqlite.js"

const newFolder = folders()
const run = promisify(execFile)
const root = fileURLToPath(new URL("../../", import.meta.url))

const PROGRAM = `
import { PetStore } from "@petstore/core"
import { SqliteStorage as copy } from "@petstore/storage-sqlite"
const { SqliteStorage: original } = await import(process.argv[2])

const filename = "a.db"
const [, , , driver, driverOfCopy] = process.argv
const store = await PetStore.open({ storage: original.layer({ filename, driver }) })
for (let at = 0; at < 20; at++) await store.categories.create({ name: "category " + at })
await PetStore.open({ storage: copy.layer({ filename, driver: driverOfCopy }) }).then(
  async (other) => {
    console.log("opened twice")
    await other.close()
  },
  ({ message }) => console.log(message)
)
await store.categories.create({ name: "after" })
await store.close()
const second = await PetStore.open({ storage: copy.layer({ filename, driver: driverOfCopy }) })
console.log((await second.categories.create({ name: "last" })).id)
process.kill(process.pid, "SIGKILL")
`

/**
 * A folder with copies of the storage and of its driver, as npm installs them where versions
 * differ.
 */
const folderWithCopies = (): string => {
  const folder = newFolder()
  const modules = join(folder, "node_modules")
  mkdirSync(join(modules, "@petstore"), { recursive: true })
  symlinkSync(join(root, "packages/core"), join(modules, "@petstore/core"))
  const storage = join(modules, "@petstore/storage-sqlite")
  for (const part of ["dist", "package.json"]) {
    cpSync(join(root, "packages/storage-sqlite", part), join(storage, part), { recursive: true })
  }
  const path = betterSqlite3Path()
  for (const part of ["lib", "build/Release/better_sqlite3.node", "prebuilds", "package.json"]) {
    const original = join(dirname(dirname(path)), part)
    if (path !== "" && existsSync(original))
      cpSync(original, join(modules, "better-sqlite3", part), { recursive: true })
  }
  for (const name of ["effect", "bindings", "file-uri-to-path"]) {
    symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
  writeFileSync(join(folder, "program.mjs"), PROGRAM)
  return folder
}

/** What a program says in which the two copies use these drivers. */
const said = async (
  driver: DriverName,
  driverOfCopy: DriverName
): Promise<{ readonly lines: ReadonlyArray<string>; readonly kept: number }> => {
  const folder = folderWithCopies()
  const original = pathToFileURL(join(root, "packages/storage-sqlite/dist/index.js")).href
  const { stdout } = await run(process.execPath, ["program.mjs", original, driver, driverOfCopy], {
    cwd: folder
  }).catch(({ stdout }: { readonly stdout: string }) => ({ stdout }))
  const kept = (await categoriesIn(join(folder, "a.db"))).length
  return { lines: stdout.trimEnd().split("\n"), kept }
}

const names = driversAtHand().map(({ name }) => name)
const pairs = names.flatMap((driver) => names.map((other) => [driver, other] as const))
const isOneLibrary = (driver: DriverName, other: DriverName): boolean =>
  driver === "node" && other === "node"

const refused = pairs.filter(([driver, other]) => !isOneLibrary(driver, other))
test.each(refused)(
  "a file that is open by %s is refused to a copy of the package by %s, and nothing is lost",
  async (driver, driverOfCopy) => {
    expect(await said(driver, driverOfCopy)).toEqual({
      lines: [
        expect.stringContaining("is open in this process through another copy of SQLite"),
        "22"
      ],
      kept: 22
    })
  },
  60_000
)

test.each(pairs.filter(([driver, other]) => isOneLibrary(driver, other)))(
  "copies of the package that both use Node's own SQLite may have one file open (%s, %s)",
  async (driver, driverOfCopy) => {
    expect(await said(driver, driverOfCopy)).toEqual({ lines: ["opened twice", "22"], kept: 22 })
  },
  60_000
)
