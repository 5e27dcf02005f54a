/**
 * Two copies of SQLite in one process never have one file open: each would drop the locks of the
 * other.
 */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { categoriesIn } from "./acknowledged.js"
import { folders } from "./aFolder.js"
import { betterSqlite3Path, hasBetterSqlite3 } from "./openSqlite.js"

const newFolder = folders()
const run = promisify(execFile)
const root = fileURLToPath(new URL("../../", import.meta.url))

const PROGRAM = `
import { PetStore } from "@petstore/core"
import { SqliteStorage as copy } from "@petstore/storage-sqlite"
const { SqliteStorage: original } = await import(process.argv[2])

const filename = "a.db"
const store = await PetStore.open({ storage: original.layer({ filename }) })
for (let at = 0; at < 20; at++) await store.categories.create({ name: "category " + at })
await PetStore.open({ storage: copy.layer({ filename, driver: "better-sqlite3" }) }).then(
  () => console.log("opened twice"),
  ({ message }) => console.log(message)
)
await store.close()
const second = await PetStore.open({ storage: copy.layer({ filename }) })
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
  const driver = dirname(dirname(betterSqlite3Path()))
  for (const part of ["lib", "build/Release/better_sqlite3.node", "package.json"]) {
    cpSync(join(driver, part), join(modules, "better-sqlite3", part), { recursive: true })
  }
  for (const name of ["effect", "bindings", "file-uri-to-path"]) {
    symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
  writeFileSync(join(folder, "program.mjs"), PROGRAM)
  return folder
}

test.skipIf(!hasBetterSqlite3)(
  "a file that one copy has open is refused to the other, and nothing that was acknowledged is lost",
  async () => {
    const folder = folderWithCopies()
    const original = pathToFileURL(join(root, "packages/storage-sqlite/dist/index.js")).href
    const said = await run(process.execPath, ["program.mjs", original], { cwd: folder }).catch(
      ({ stdout }: { readonly stdout: string }) => ({ stdout })
    )
    expect(said.stdout.trimEnd().split("\n")).toEqual([
      expect.stringContaining("is open in this process through another copy of SQLite"),
      "21"
    ])
    expect(await categoriesIn(join(folder, "a.db"))).toHaveLength(21)
  },
  60_000
)
