import { readdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Connection } from "../src/driver/Driver.js"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { backup, verify } from "../src/index.js"
import { fewerIndexes } from "../src/migrations/0002_fewer_indexes.js"
import { idsByRows } from "../src/migrations/0003_ids_by_rows.js"
import { SCHEMA_VERSION } from "../src/migrations/migrate.js"
import { APPLICATION_ID } from "../src/migrations/version.js"
import { aFile, openingFailure, openStore } from "./aFile.js"
import { shop } from "../../../test/e2e/firstSchema.js"

/**
 * A file as an earlier schema has it, with a pet that was ordered once with a ship date and once
 * without.
 */
const anEarlierFile = (steps: ReadonlyArray<string>, more = ""): string => {
  const filename = aFile()
  const file = openSqlite(filename)
  file.pragma("journal_mode = WAL")
  file.withWritableSchema(() => {
    for (const step of steps) file.exec(step)
  })
  file.exec(`
    INSERT INTO categories (revision, name) VALUES (1, 'Dogs');
    INSERT INTO pets (revision, name, category_id, status, on_order, sold) VALUES (1, 'Rex', 1, 0, 0, 0);
    INSERT INTO inventory VALUES (1, 1, 7, 0, 3, 0);
    INSERT INTO orders (revision, pet_id, quantity, ship_date_ms, complete, held) VALUES (1, 1, 2, 1767225600000, 0, 2), (1, 1, 1, NULL, 0, 1);
    INSERT INTO changes (revision, at_ms, type, kind, record_id, before, after) VALUES (1, 0, 0, 0, 1, NULL, '[0,1,1,"Rex",null,1,0,0,0]'),
      (1, 0, 0, 1, 1, NULL, '[1,1,1,"Dogs",null,null]'), (1, 0, 0, 2, 1, NULL, '[3,1,1,1,2,1767225600000,0,2]'), (1, 0, 0, 2, 2, NULL, '[3,2,1,1,1,null,0,1]');
    INSERT INTO tallies VALUES ('pets_status', 0, 0, 1), ('pets_category_status', 1, 0, 1), ('inventory_status', 0, 0, 1), ('orders_complete', 0, 0, 2);
    ${more}`)
  file.pragma(`application_id = ${APPLICATION_ID}`)
  file.pragma(`user_version = ${steps.length}`)
  file.close()
  return filename
}

const aFirstFile = (): string => anEarlierFile([shop])

const opened = (filename: string): Connection => {
  const file = openSqlite(filename)
  onTestFinished(() => file.close())
  return file
}

test.each([
  ["first", [shop]],
  ["second", [shop, fewerIndexes]],
  ["third", [shop, fewerIndexes, idsByRows]]
])("a file of the %s schema is brought up to date, with everything in it", async (_case, steps) => {
  const filename = anEarlierFile(steps)
  const store = await openStore({ filename, upgrade: true })
  const idsBy = (sort: string) =>
    store.direct.orders.list({ petId: 1, sort }).items.map(({ id }) => id)
  expect(idsBy("id")).toEqual([1, 2])
  expect(idsBy("shipDate")).toEqual([2, 1])
  expect(await store.changes.history("pet", 1)).toMatchObject([
    { type: "pet.created", sequence: 1 }
  ])
  const total = () => store.direct.orders.list({ complete: false, total: true }).total
  expect(total()).toBe(2)
  store.direct.orders.place({ petId: 1, quantity: 7 })
  expect(total()).toBe(3)
  expect(idsBy("id")).toEqual([1, 2, 3])
  await store.close()
  expect(await Effect.runPromise(verify({ filename }))).toEqual([])
})

test("ids that were given before a file was brought up to date are given no more, also where their rows were the last, or all", async () => {
  const filename = anEarlierFile(
    [shop, fewerIndexes],
    `INSERT INTO categories (id, revision, name) VALUES (7, 1, 'Birds'); DELETE FROM categories WHERE id = 7;
     INSERT INTO accounts (id, revision, name, plan, created_ms) VALUES (5, 1, 'x', 'free', 0); DELETE FROM accounts`
  )
  const store = await openStore({ filename, upgrade: true })
  const { categories, pets, accounts } = store.direct
  expect([categories.create({ name: "Fish" }).id, accounts.create({ plan: "free" }).id]).toEqual([
    8, 6
  ])
  expect(pets.create({ name: "Nemo", categoryId: 8 }).id).toBe(2)
  expect([categories.create({ name: "Cats" }).id, accounts.create({ plan: "free" }).id]).toEqual([
    9, 7
  ])
  await store.close()
  expect(await Effect.runPromise(verify({ filename }))).toEqual([])
})

test("the last id of a table that a later step makes, as a restore notes it, is noted from then on", async () => {
  const filename = anEarlierFile(
    [shop, fewerIndexes],
    "INSERT INTO sqlite_sequence VALUES ('about', 7)"
  )
  await (await openStore({ filename, upgrade: true })).close()
  const file = opened(filename)
  expect(file.rows("SELECT name, id FROM last_ids").all()).toEqual([["about", 7]])
  expect(file.values("SELECT name FROM sqlite_sequence").all()).toEqual([])
})

test("tables of a host's own in the file stay as they are, and so does what SQLite knows of their ids", async () => {
  const own = "CREATE TABLE own (id INTEGER PRIMARY KEY AUTOINCREMENT)"
  const others = "CREATE TABLE totals (of TEXT); CREATE VIEW broken AS SELECT * FROM gone"
  const filename = anEarlierFile(
    [shop, fewerIndexes],
    `${own}; ${others}; INSERT INTO own VALUES (7); DELETE FROM own`
  )
  await (await openStore({ filename, upgrade: true })).close()
  const file = opened(filename)
  const insert = file.command("INSERT INTO own DEFAULT VALUES")
  expect(file.values("SELECT sql FROM sqlite_schema WHERE name = 'own'").get()).toBe(own)
  expect(insert.run().lastInsertRowid).toBe(8)
})

test("a file of an earlier schema is refused and left alone, unless it is to be brought up to date", async () => {
  const filename = aFirstFile()
  const before = readFileSync(filename)
  const failure = await openingFailure({ filename })
  expect(failure).toMatchObject({ reason: "OlderVersion" })
  expect(failure?.detail).toContain(
    `its schema is 1, this version needs ${SCHEMA_VERSION}; stop its servers and run: petstore upgrade --db ${filename}`
  )
  const refusal = await Effect.runPromise(Effect.flip(verify({ filename })))
  expect(refusal).toMatchObject({ reason: "OlderVersion" })
  expect(readFileSync(filename).equals(before)).toBe(true)
})

test("a file that another connection has open, of whatever version, is not brought up to date", async () => {
  const filename = anEarlierFile([shop, fewerIndexes, idsByRows])
  const file = opened(filename)
  const count = file.command("UPDATE tallies SET count = count + 1 WHERE tally = 'pets_status'")
  count.run()
  const failure = await openingFailure({ filename, upgrade: true, busyMs: 50 })
  expect(failure?.reason).toBe("Busy")
  expect(failure?.detail).toContain(`${filename} is open in another process`)
  count.run()
  expect(file.pragma("user_version")).toBe(3)
  file.close()
  expect(await openingFailure({ filename, upgrade: true })).toBeUndefined()
})

test("of several that bring one file up to date at the same time, one does, and all can use it", async () => {
  const filename = aFirstFile()
  const stores = await Promise.all(
    Array.from({ length: 4 }, () => openStore({ filename, upgrade: true }))
  )
  stores.forEach((store, number) => store.direct.categories.create({ name: `${number}` }))
  for (const store of stores) expect(store.direct.categories.list().items).toHaveLength(5)
})

describe("a user_version that was changed by something else is refused in one sentence, and nothing changes", () => {
  test.each([...Array(SCHEMA_VERSION).keys()])("to %i", async (version) => {
    const filename = aFile()
    await (await openStore({ filename })).close()
    const file = opened(filename)
    file.pragma(`user_version = ${version}`)
    file.close()
    const before = readFileSync(filename)
    for (const failure of [
      await openingFailure({ filename }),
      await openingFailure({ filename, upgrade: true }),
      await Effect.runPromise(Effect.flip(verify({ filename }))),
      await Effect.runPromise(Effect.flip(backup({ filename, destination: `${filename}.copy` })))
    ]) {
      expect(failure?.reason).toBe("Corrupt")
      expect(failure?.detail).toContain(
        `declares schema ${version}, but has the tables of schema ${SCHEMA_VERSION}: another program has changed its user_version; restore a backup`
      )
    }
    expect(readFileSync(filename).equals(before)).toBe(true)
  })
})

test("who has a file open that a newer version has brought up to date meanwhile writes no more, and says why", async () => {
  const filename = aFile()
  const store = await openStore({ filename })
  store.direct.categories.create({ name: "Fish" })
  opened(filename).pragma("user_version = 999")
  const newer = { reason: "NewerVersion" }
  expect(() => store.direct.categories.create({ name: "Cats" })).toThrow(
    expect.objectContaining(newer)
  )
  await expect(store.categories.create({ name: "Cats" })).rejects.toMatchObject(newer)
  expect(store.direct.categories.list().items).toHaveLength(1)
})

test("a file that was brought up to date has the same schema as a new one, and is whole", async () => {
  const schemaOf = async (filename: string) => {
    await (await openStore({ filename, upgrade: true })).close()
    const file = opened(filename)
    expect(file.pragma("integrity_check")).toBe("ok")
    // The first schema had AUTOINCREMENT, of which SQLite's own table of ids stays.
    return file
      .values<string>(
        "SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_schema WHERE name <> 'sqlite_sequence' ORDER BY 1"
      )
      .all()
      .map((told) => told.replace(/\s*([(),])\s*/g, "$1"))
  }
  expect(await schemaOf(aFirstFile())).toEqual(await schemaOf(aFile()))
})

test("a backup of a file of an earlier schema has that schema, and was looked through as it would be brought up to date", async () => {
  const filename = aFirstFile()
  const destination = `${filename}.copy`
  const checks: Array<string> = []
  await Effect.runPromise(backup({ filename, destination, onCheck: (check) => checks.push(check) }))
  expect(checks).toContain("units on order")
  for (const each of [filename, destination]) {
    const file = opened(each)
    expect(file.pragma("user_version")).toBe(1)
    file.close()
  }
  expect(readdirSync(dirname(filename)).filter((name) => name.includes(".new-"))).toEqual([])
  const store = await openStore({ filename: destination, upgrade: true })
  expect(store.direct.pets.get(1).name).toBe("Rex")
})

test("a file of an earlier schema whose books don't balance is not backed up", async () => {
  const filename = anEarlierFile([shop], "UPDATE inventory SET on_order = 9")
  const failure = await Effect.runPromise(
    Effect.flip(backup({ filename, destination: `${filename}.copy` }))
  )
  expect(failure).toMatchObject({ reason: "Corrupt" })
  expect(readdirSync(dirname(filename)).filter((name) => name.includes("copy"))).toEqual([])
})
