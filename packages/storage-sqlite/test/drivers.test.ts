import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { StorageError } from "@petstore/core"
import { categories } from "@petstore/core/storage"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Layer } from "effect"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import type { Connection } from "../src/driver/Driver.js"
import { driverOf } from "../src/driver/driverOf.js"
import { driversAtHand } from "../../../test/e2e/openSqlite.js"
import { parametersOf } from "../src/driver/values.js"
import { ConnectionClosed, SqliteError } from "../src/driver/SqliteError.js"
import { backup, restore, SqliteStorage, status, upgrade, verify } from "../src/index.js"
import { aFile, aFolder, openingFailure, openPorts, openStore } from "./aFile.js"

const DRIVERS = driversAtHand()
const [first, second] = DRIVERS

test("one driver at least can be had", () => expect(DRIVERS.length).toBeGreaterThan(0))

describe.each(DRIVERS.map((driver) => [driver.name, driver] as const))("%s", (name, driver) => {
  const open = (filename = aFile(), readOnly = false): Connection => {
    if (!existsSync(filename) && !readOnly) writeFileSync(filename, "")
    const file = driver.open(filename, { readOnly })
    onTestFinished(() => file.close())
    return file
  }

  const codeOf = (run: () => unknown): number | undefined => {
    try {
      run()
    } catch (thrown) {
      if (thrown instanceof SqliteError) return thrown.resultCode
      throw thrown
    }
    return undefined
  }

  test("opens a file that is there, whatever signs its name has, and makes none", () => {
    const folder = aFolder()
    for (const filename of ["a%41b.db", "what?mode=memory.db", "a#b.db", "two words ü.db"]) {
      const path = join(folder, filename)
      expect(() => driver.open(path, { readOnly: false })).toThrow(SqliteError)
      expect(existsSync(path)).toBe(false)
      open(path).exec("CREATE TABLE t (a)")
      expect(open(path, true).values("SELECT name FROM sqlite_schema").all()).toEqual(["t"])
    }
  })

  test("gives rows as arrays, one value, and what a statement has changed", () => {
    const file = open()
    file.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    const insert = file.command("INSERT INTO t (name) VALUES (?)")
    expect(insert.run("a")).toEqual({ changes: 1, lastInsertRowid: 1 })
    expect(insert.run("b")).toEqual({ changes: 1, lastInsertRowid: 2 })
    const rows = file.rows("SELECT id, name FROM t WHERE id >= ? ORDER BY id")
    expect(rows.all(1)).toEqual([
      [1, "a"],
      [2, "b"]
    ])
    expect(rows.get(2)).toEqual([2, "b"])
    expect(rows.get(3)).toBeUndefined()
    const values = file.values("SELECT name FROM t WHERE id >= ? ORDER BY id")
    expect([values.all(1), values.get(2), values.get(3)]).toEqual([["a", "b"], "b", undefined])
    expect(file.pragma("user_version")).toBe(0)
    expect(file.pragma("user_version = 7")).toBeUndefined()
    expect(file.pragma("user_version")).toBe(7)
  })

  test("says SQLite's extended number of what it refuses, in every kind of call", () => {
    const file = open()
    file.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL) STRICT")
    const insert = file.command("INSERT INTO t (name) VALUES (?)")
    insert.run("a")
    expect(codeOf(() => insert.run("a"))).toBe(2_067)
    expect(codeOf(() => insert.run(null))).toBe(1_299)
    expect(codeOf(() => file.rows("SELECT * FROM nowhere"))).toBe(1)
    expect(codeOf(() => file.exec("SELECT * FROM nowhere"))).toBe(1)
    expect(codeOf(() => file.command("INSERT INTO t VALUES (?, ?, ?)"))).toBe(1)
    const other = open(file.path)
    file.command("BEGIN IMMEDIATE").run()
    expect(codeOf(() => other.command("BEGIN IMMEDIATE").run())).toBe(5)
    expect(codeOf(() => other.exec("BEGIN IMMEDIATE"))).toBe(5)
    file.command("ROLLBACK").run()
    expect(codeOf(() => open(file.path, true).exec("DELETE FROM t"))).toBe(8)
    const junk = aFile()
    writeFileSync(junk, "no database, but long enough to be looked at ".repeat(40))
    expect(codeOf(() => open(junk).pragma("user_version"))).toBe(26)
  })

  test("takes no value too few, no boolean and nothing else that SQLite does not store", () => {
    const file = open()
    const two = file.values("SELECT coalesce(?, 0) + coalesce(?, 0)")
    expect(two.get(1, 2)).toBe(3)
    expect(() => two.get(1)).toThrow(RangeError)
    expect(() => file.command("SELECT ?").run()).toThrow(RangeError)
    for (const value of [true, undefined, new Date(0), { a: 1 }, Symbol("a")])
      expect(() => Reflect.apply(two.get, undefined, [1, value])).toThrow(TypeError)
    expect(file.values("SELECT ?").get(new Uint8Array([1, 2]))).toEqual(
      expect.objectContaining({ length: 2 })
    )
  })

  test("gives integers beyond 2^53 rounded, as bigints where they are asked for, and goes on after one", () => {
    const file = open()
    const big = file.values("SELECT 9007199254740993 + ?")
    expect([big.get(0), big.all(0)]).toEqual([2 ** 53, [2 ** 53]])
    expect(big.get(-9_007_199_254_740_990n)).toBe(3)
    expect(file.rows("SELECT 1, 9007199254740993").all()).toEqual([[1, 2 ** 53]])
    const any = file.statement("SELECT 9007199254740993 AS big, 1 AS one")
    expect(any.columns()).toEqual(["big", "one"])
    expect(any.all([], true)).toEqual([[9_007_199_254_740_993n, 1n]])
    expect(any.all([], false)).toEqual([[2 ** 53, 1]])
    expect(file.statement("BEGIN").columns()).toEqual([])
    file.exec("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    const insert = file.command("INSERT INTO t VALUES (?)")
    expect(insert.run(9_007_199_254_740_993n)).toEqual({ changes: 1, lastInsertRowid: 2 ** 53 })
    // Node 26 says nothing of any statement from then on, unless it is asked otherwise.
    file.command("BEGIN").run()
    expect(file.command("DELETE FROM t").run().changes).toBe(1)
    file.command("COMMIT").run()
    expect(file.isInTransaction).toBe(false)
  })

  test("enforces references, knows no text in double quotes, and lets the schema be written only where it is meant", () => {
    const file = open()
    expect(file.pragma("foreign_keys")).toBe(1)
    expect(codeOf(() => file.values('SELECT "text"').get())).toBe(1)
    file.exec("CREATE TABLE t (a)")
    file.withWritableSchema(() => {
      file.exec("PRAGMA writable_schema = ON")
      file.exec("UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a, b)' WHERE name = 't'")
      file.exec("PRAGMA writable_schema = RESET")
    })
    expect(file.statement("SELECT * FROM t").columns()).toEqual(["a", "b"])
  })

  test("knows whether a transaction is open, also once it is closed, and is closed twice", () => {
    const file = open()
    file.command("BEGIN").run()
    expect([file.isOpen, file.isInTransaction]).toEqual([true, true])
    const rows = file.rows("SELECT 1")
    file.close()
    file.close()
    expect([file.isOpen, file.isInTransaction]).toEqual([false, false])
    expect(() => rows.get()).toThrow(ConnectionClosed)
    expect(() => file.exec("SELECT 1")).toThrow(ConnectionClosed)
  })

  test("defines functions, and copies a file page by page", async () => {
    const file = open()
    file.define("twice", (value) => Number(value) * 2)
    expect(file.values("SELECT twice(21)").get()).toBe(42)
    file.exec(
      "CREATE TABLE t (a); WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT randomblob(3000) FROM n"
    )
    const copy = aFile()
    const told: Array<readonly [number, number]> = []
    await file.copyTo(copy, ({ copiedPages, totalPages }) => told.push([copiedPages, totalPages]))
    expect(open(copy).values("SELECT count(*) FROM t").get()).toBe(3_000)
    expect(told.length).toBeGreaterThan(2)
    const pages = Number(file.pragma("page_count"))
    expect(told.at(-1)).toEqual([pages, pages])
  })

  test("keeps a store, whose ids end at 2^53 as Full, and whose status says the driver", async () => {
    const filename = aFile()
    const options = { filename, driver: name }
    const { direct, close } = await openPorts(options)
    const row = { name: "a", foldedName: "a", description: null }
    const insert = () =>
      direct.write(function* () {
        return yield { op: "insert", collection: categories, row }
      })
    expect(Either.isRight(insert())).toBe(true)
    const file = open(filename)
    file.command("UPDATE categories SET id = ?").run(Number.MAX_SAFE_INTEGER)
    file.close()
    for (let attempt = 0; attempt < 2; attempt++)
      expect(Either.getLeft(insert())).toMatchObject({ value: { reason: "Full" } })
    expect(
      Either.isRight(
        direct.write(function* () {
          yield { op: "remove", collection: categories, id: Number.MAX_SAFE_INTEGER }
        })
      )
    ).toBe(true)
    await close()
    const found = await Effect.runPromise(status(options))
    expect(found.driver).toBe(name)
    expect(found.contents).toMatchObject({ sqliteVersion: driver.sqliteVersion() })
  })

  test("does all that is done to a file, and answers a host's own SQL", async () => {
    const [filename, copy] = [aFile(), aFile()]
    const options = { filename, driver: name }
    const store = await openStore(options)
    store.direct.categories.create({ name: "Fish" })
    const layer = SqliteStorage.client(options).pipe(Layer.provide(SqliteStorage.layer(options)))
    const names = Effect.flatMap(SqlClient, (sql) => sql`SELECT name FROM categories`)
    expect(await Effect.runPromise(Effect.provide(names, layer))).toEqual([{ name: "Fish" }])
    await store.close()
    await Effect.runPromise(backup({ ...options, destination: copy }))
    expect(await Effect.runPromise(verify({ filename: copy, driver: name }))).toEqual([])
    expect((await Effect.runPromise(restore({ ...options, backup: copy }))).moved).toHaveLength(1)
    expect((await Effect.runPromise(upgrade(options))).backup).toBeUndefined()
  })
})

describe.runIf(second !== undefined)("two drivers", () => {
  test("have two files open in one process, and never one", async () => {
    const filename = aFile()
    const store = await openStore({ filename, driver: first?.name ?? "node" })
    const other = second?.name ?? "node"
    const refused = await openingFailure({ filename, driver: other })
    expect(refused).toMatchObject({
      reason: "Unavailable",
      detail: expect.stringContaining("open in this process through another copy of SQLite")
    })
    await openStore({ filename: aFile(), driver: other })
    store.direct.categories.create({ name: "Fish" })
    await store.close()
    const after = await openStore({ filename, driver: other })
    expect(after.direct.categories.list().items).toMatchObject([{ name: "Fish" }])
  })
})

describe("the driver", () => {
  afterEach(() => vi.unstubAllEnvs())

  test("is the one that PETSTORE_DRIVER names, and an option goes before that", () => {
    for (const { name } of DRIVERS) {
      vi.stubEnv("PETSTORE_DRIVER", name)
      expect(driverOf().name).toBe(name)
      for (const option of DRIVERS) expect(driverOf(option.name).name).toBe(option.name)
    }
    vi.stubEnv("PETSTORE_DRIVER", "")
    expect(driverOf().name).toBe(first?.name)
  })

  test("of another name is refused by all that opens a file, in one sentence", async () => {
    const filename = aFile()
    vi.stubEnv("PETSTORE_DRIVER", "sqlite3")
    const refusals = [
      await openingFailure({ filename }),
      await openingFailure({ filename, upgrade: true }),
      await Effect.runPromise(Effect.flip(verify({ filename }))),
      await Effect.runPromise(Effect.flip(backup({ filename, destination: aFile() })))
    ]
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(StorageError)
      expect(refusal?.detail).toBe(
        'there is no driver "sqlite3" (option driver, PETSTORE_DRIVER): name "node" or "better-sqlite3", or none'
      )
    }
    expect(existsSync(filename)).toBe(false)
  })

  test("node is refused, with what to do, where Node has none", async () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined)
    onTestFinished(() => void vi.restoreAllMocks())
    vi.resetModules()
    const anew = await import("../src/driver/driverOf.js")
    expect(() => anew.driverOf("node")).toThrow(
      /has no node:sqlite that can be used: use Node 22\.16 or later, or the driver "better-sqlite3"/
    )
  })
})

describe("how many values a statement needs", () => {
  test.each([
    ["SELECT 1", 0],
    ["SELECT ?, ?", 2],
    ["SELECT ?2, ?1, ?2", 2],
    ["SELECT '?', \"?\", `?`, [?], ? -- ?\n, ? /* ? */", 2],
    ["SELECT 'it''s ?', ?", 1],
    ["SELECT :name, @name, $name", 0]
  ])("%s: %i", (sql, parameters) => expect(parametersOf(sql)).toBe(parameters))
})
