import Connection from "better-sqlite3"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { backup, verify } from "../src/index.js"
import { shop } from "../src/migrations/0001_shop.js"
import { APPLICATION_ID } from "../src/migrations/migrate.js"
import { aFile, openStore } from "./aFile.js"

/** A file as the first schema has it, with a pet that was ordered once with a ship date and once without. */
const aFirstFile = (): string => {
  const filename = aFile()
  const file = new Connection(filename)
  file.pragma("journal_mode = WAL")
  file.exec(shop)
  file.exec(`
    INSERT INTO categories (revision, name) VALUES (1, 'Dogs');
    INSERT INTO pets (revision, name, category_id, status, on_order, sold) VALUES (1, 'Rex', 1, 0, 0, 0);
    INSERT INTO inventory VALUES (1, 1, 7, 0, 3, 0);
    INSERT INTO orders (revision, pet_id, quantity, ship_date_ms, complete, held) VALUES (1, 1, 2, 1767225600000, 0, 2), (1, 1, 1, NULL, 0, 1);
    INSERT INTO changes (revision, at_ms, type, kind, record_id, before, after) VALUES (1, 0, 0, 0, 1, NULL, '[0,1,1,"Rex",null,1,0,0,0]');
    INSERT INTO tallies VALUES ('pets_status', 0, 0, 1), ('pets_category_status', 1, 0, 1), ('inventory_status', 0, 0, 1), ('orders_complete', 0, 0, 2)`)
  file.pragma(`application_id = ${APPLICATION_ID}`)
  file.pragma("user_version = 1")
  file.close()
  return filename
}

test("a file of the first schema is brought up to date, with everything in it", async () => {
  const filename = aFirstFile()
  const store = await openStore({ filename })
  const idsBy = (sort: string) => store.direct.orders.list({ petId: 1, sort }).items.map(({ id }) => id)
  expect(idsBy("id")).toEqual([1, 2])
  expect(idsBy("shipDate")).toEqual([2, 1])
  expect(await store.changes.history("pet", 1)).toMatchObject([{ type: "pet.created", sequence: 1 }])
  store.direct.orders.place({ petId: 1, quantity: 7 })
  expect(idsBy("id")).toEqual([1, 2, 3])
  await store.close()
  expect(await Effect.runPromise(verify({ filename }))).toEqual([])
})

test("a file that was brought up to date has the same schema as a new one", async () => {
  const schemaOf = async (filename: string) => {
    await (await openStore({ filename })).close()
    const file = new Connection(filename)
    const schema = file.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all()
    file.close()
    return schema
  }
  expect(await schemaOf(aFirstFile())).toEqual(await schemaOf(aFile()))
})

test("a file of the first schema is not looked through or copied as if it were new, which says what to do and leaves it alone", async () => {
  const filename = aFirstFile()
  const says = /has schema 1, this looks through 2; opening the store brings it up to date/
  await expect(Effect.runPromise(verify({ filename }))).rejects.toThrow(says)
  await expect(Effect.runPromise(backup({ filename, destination: `${filename}.copy` }))).rejects.toThrow(says)
  const file = new Connection(filename, { readonly: true })
  expect(file.pragma("user_version", { simple: true })).toBe(1)
  file.close()
})
