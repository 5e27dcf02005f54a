import { cpSync, openSync, closeSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Worker } from "node:worker_threads"
import { expect, onTestFinished, test, vi } from "vitest"
import {
  connectTo,
  connectionsTo,
  fileIdOf,
  isOpenHere,
  register
} from "../src/connection/OpenFiles.js"
import { driverOf } from "../src/driver/driverOf.js"
import { readFileHeaders } from "../src/connection/readFileHeaders.js"
import { betterSqlite3Path } from "../../../test/e2e/openSqlite.js"
import { aFile, aFolder, openStore } from "./aFile.js"

const aStore = async (): Promise<string> => {
  const filename = aFile()
  await (await openStore({ filename })).close()
  return filename
}

const idOf = (filename: string): string => fileIdOf(filename) ?? ""

test("a file is known by device and inode while a store has it open, and looking at it opens no descriptor then", async () => {
  const filename = await aStore()
  expect([connectionsTo(idOf(filename)), isOpenHere(idOf(filename))]).toEqual([0, false])
  expect(readFileHeaders(filename)?.header).toBeDefined()
  const [one, two] = [await openStore({ filename }), await openStore({ filename })]
  expect(connectionsTo(idOf(filename))).toBe(2)
  expect(readFileHeaders(filename)).toBeUndefined()
  await one.close()
  expect(connectionsTo(idOf(filename))).toBe(1)
  await two.close()
  expect(isOpenHere(idOf(filename))).toBe(false)
})

test("two copies of this package share what they know of open files", async () => {
  const filename = await aStore()
  const { close } = connectTo(driverOf(), filename)
  vi.resetModules()
  const copy = await import("../src/connection/OpenFiles.js")
  expect(copy.connectTo).not.toBe(connectTo)
  expect(copy.connectionsTo(idOf(filename))).toBe(1)
  close()
  expect(copy.connectionsTo(idOf(filename))).toBe(0)
})

test("a registry of another form is neither replaced nor taken for one: nothing is opened beside it", async () => {
  const filename = await aStore()
  const key = Symbol.for("@petstore/storage-sqlite/open-files")
  const ours: unknown = Reflect.get(globalThis, key)
  const others = [{ version: 2 }, [], new Map([["1:2", 3]]), new Map([["1:2", { connections: 1 }]])]
  try {
    for (const other of others) {
      Reflect.set(globalThis, key, other)
      expect(() => connectTo(driverOf(), filename)).toThrow(
        /another version of @petstore\/storage-sqlite is loaded/
      )
      expect(Reflect.get(globalThis, key)).toBe(other)
    }
  } finally {
    Reflect.set(globalThis, key, ours)
  }
  connectTo(driverOf(), filename).close()
})

test("a file that one copy of SQLite has open is refused to another", async () => {
  const filename = await aStore()
  const { close } = connectTo(driverOf(), filename)
  const another = (): void => register(filename, idOf(filename), "another copy")()
  expect(another).toThrow(/is open in this process through another copy of SQLite/)
  close()
  expect(another).not.toThrow()
})

test.skipIf(betterSqlite3Path() === "")(
  "a connection of another driver, or of another copy of one, counts as another copy of SQLite",
  async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    const original = dirname(dirname(betterSqlite3Path()))
    const folder = join(aFolder(), "node_modules", "better-sqlite3")
    mkdirSync(dirname(folder), { recursive: true })
    cpSync(original, folder, {
      recursive: true,
      filter: (path) =>
        !/better-sqlite3\/(deps|src|build\/(?!Release$|Release\/better_sqlite3\.node$))/.test(path)
    })
    const other: unknown = createRequire(join(dirname(folder), "x.js"))("better-sqlite3")
    expect(other).not.toBe(driverOf().library)
    expect(() => register(filename, idOf(filename), other)).toThrow(/another copy of SQLite/)
    await store.close()
  }
)

const onLinux = process.platform === "linux"

test.skipIf(!onLinux)(
  "descriptors that others of the process have on a file count too (Linux)",
  async () => {
    const filename = await aStore()
    const descriptor = openSync(filename, "r")
    expect(isOpenHere(idOf(filename))).toBe(true)
    closeSync(descriptor)
    expect(isOpenHere(idOf(filename))).toBe(false)
  }
)

test.skipIf(!onLinux)("so do those of another thread (Linux)", async () => {
  const filename = await aStore()
  const worker = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads")
     const sqlite = process.getBuiltinModule("node:sqlite")
     const file = sqlite === undefined
       ? new (require(workerData.driver))(workerData.filename)
       : new sqlite.DatabaseSync(workerData.filename)
     const look = file.prepare("PRAGMA user_version")
     look.get()
     parentPort.postMessage("open")
     setInterval(() => look.get(), 1_000)`,
    { eval: true, workerData: { filename, driver: betterSqlite3Path() } }
  )
  onTestFinished(() => void worker.terminate())
  await new Promise((resolve) => worker.once("message", resolve))
  expect(readFileHeaders(filename)).toBeUndefined()
  const store = await openStore({ filename })
  expect(store.direct.categories.list().items).toEqual([])
  await worker.terminate()
})
