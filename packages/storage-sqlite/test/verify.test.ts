import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { dirname, join } from "node:path"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect, Either } from "effect"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { backup, verify } from "../src/index.js"
import { aFile, aFolder, openStore } from "./aFile.js"

/** A shop in which everything has happened once. */
const aShop = async () => {
  const filename = aFile()
  const store = await openStore({ filename })
  const { categories, pets, inventory, orders, accounts, keys } = store.direct
  const { id: categoryId } = categories.create({ name: "Fish" })
  for (let number = 0; number < 4; number++) pets.create({ name: `Goldie ${number}`, categoryId })
  inventory.set(1, { quantity: 5 })
  inventory.set(2, { quantity: 1 })
  orders.place({ petId: 1, quantity: 2 })
  orders.place({ petId: 1, quantity: 1, complete: true })
  orders.place({ petId: 2, quantity: 1 })
  orders.place({ petId: 3 })
  orders.place({})
  const { id: accountId } = accounts.create({ plan: "free" })
  accounts.create({ plan: "enterprise", perMinute: 1, perDay: 9_007_199_254_740_991 })
  keys.create(accountId)
  keys.create(accountId, { expiresAt: "9999-12-31T23:59:59Z" })
  store.direct.webhooks.create({ url: "https://shop.example/hooks" })
  return { filename, store }
}

const checksFailing = async (filename: string): Promise<ReadonlyArray<string>> => {
  const findings = await Effect.runPromise(verify({ filename }))
  return [...new Set(findings.map(({ check }) => check))]
}

const change = (filename: string, sql: string): void => {
  const file = openSqlite(filename)
  file.pragma("foreign_keys = OFF")
  file.exec(sql)
  file.close()
}

describe("verify", () => {
  test("finds nothing in a shop that went through its own rules, while it is open", async () => {
    const { filename } = await aShop()
    expect(await checksFailing(filename)).toEqual([])
  })

  test.each([
    [
      "a count that is too high",
      "INSERT INTO kept_totals VALUES ('pets_status', 0, 0, 1) ON CONFLICT DO UPDATE SET count = count + 1",
      "totals"
    ],
    [
      "rows that the counts lack",
      "UPDATE kept_totals SET count = (SELECT max(id) FROM orders) WHERE tally = 'orders'",
      "totals"
    ],
    [
      "totals that count up to an id that was never assigned",
      "UPDATE kept_totals SET count = 1000 WHERE tally = 'pets'",
      "totals"
    ],
    [
      "totals that don't say how far they count",
      "DELETE FROM kept_totals WHERE tally = 'orders'",
      "totals"
    ],
    ["a change that is missing", "DELETE FROM changes WHERE id = 4", "feed of changes"],
    [
      "a feed whose end is missing",
      "DELETE FROM changes WHERE id = (SELECT max(id) FROM changes)",
      "records by their last change"
    ],
    [
      "a feed whose end is missing, when it has lost its beginning too",
      "DELETE FROM changes WHERE id < 10 OR id = (SELECT max(id) FROM changes)",
      "records by their last change"
    ],
    [
      "a feed whose end was removed",
      "INSERT INTO last_ids SELECT 'changes', max(id) + 1 FROM changes",
      "feed of changes"
    ],
    [
      "a change of nothing",
      "UPDATE changes SET before = NULL, after = NULL WHERE id = 2",
      "feed of changes"
    ],
    [
      "half a record in a change",
      "UPDATE changes SET after = '{\"id\":1' WHERE id = 2",
      "feed of changes"
    ],
    [
      "a record that is not as its last change left it",
      "UPDATE pets SET name = 'Nemo' WHERE id = 4",
      "records by their last change"
    ],
    [
      "a member that is gone from a record",
      "UPDATE orders SET quantity = NULL WHERE id = 1",
      "records by their last change"
    ],
    [
      "a record whose change was lost",
      "UPDATE inventory SET revision = revision + 1 WHERE id = 1",
      "records by their last change"
    ],
    [
      "a record that is gone without a change",
      "DELETE FROM orders WHERE id = 5",
      "records by their last change"
    ],
    [
      "a record that its last change removed",
      "UPDATE changes SET before = after, after = NULL WHERE id = (SELECT max(id) FROM changes WHERE kind = 2)",
      "records by their last change"
    ],
    ["an order without its units", "DELETE FROM orders WHERE id = 1", "units on order"],
    [
      "units without their order",
      "UPDATE inventory SET on_order = on_order + 1 WHERE id = 1",
      "units on order"
    ],
    ["a sale that was not counted", "UPDATE inventory SET sold = 0 WHERE id = 1", "units sold"],
    [
      "a pet that holds units without an order",
      "UPDATE pets SET on_order = 0 WHERE id = 3",
      "units on order"
    ],
    ["stock below zero", "UPDATE inventory SET quantity = -1 WHERE id = 1", "units below zero"],
    [
      "a status that does not follow the stock",
      "UPDATE inventory SET status = 2 WHERE id = 1",
      "statuses"
    ],
    ["a pet that differs from its entry", "UPDATE pets SET status = 2 WHERE id = 1", "statuses"],
    ["an open order of a pet that is gone", "DELETE FROM pets WHERE id = 3", "orders of pets"],
    ["a pet of a category that is gone", "DELETE FROM categories", "references"],
    ["a name that is not found", "UPDATE pets SET folding = 'x' WHERE id = 4", "folded names"],
    ["a status that is none", "UPDATE pets SET status = 7 WHERE id = 4", "values"],
    ["an id that would be given again", "INSERT INTO last_ids VALUES ('pets', 3)", "ids"],
    ["another quantity than is held", "UPDATE orders SET quantity = 4 WHERE id = 1", "units held"],
    ["units held of no quantity", "UPDATE orders SET quantity = NULL WHERE id = 1", "units held"],
    [
      "an order of a pet without a quantity",
      "UPDATE orders SET held = 0, quantity = NULL WHERE id = 4",
      "units held"
    ],
    ["a quantity that can't be", "UPDATE orders SET quantity = 2147483648 WHERE id = 5", "values"],
    [
      "more stock than can be, once orders are cancelled",
      "UPDATE inventory SET quantity = 2147483646 WHERE id = 1",
      "units beyond count"
    ],
    [
      "an enterprise account without numbers",
      "UPDATE accounts SET plan = 'enterprise'",
      "accounts"
    ],
    [
      "numbers that nobody can agree on",
      "UPDATE accounts SET plan = 'enterprise', per_minute = 0, per_day = 1",
      "accounts"
    ],
    ["a plan that is none", "UPDATE accounts SET plan = 'gold'", "accounts"],
    ["numbers on a plan that has its own", "UPDATE accounts SET per_day = 7", "accounts"],
    ["a digest that no key has", "UPDATE keys SET digest = upper(digest) WHERE id = 1", "keys"],
    ["a digest that is cut off", "UPDATE keys SET digest = substr(digest, 2) WHERE id = 1", "keys"],
    [
      "two keys with one digest",
      "UPDATE keys SET digest = (SELECT digest FROM keys WHERE id = 1)",
      "keys"
    ],
    ["attempts that are not kept", "UPDATE webhooks SET logged = 1", "webhooks"],
    [
      "a webhook that is ahead of the feed",
      "INSERT INTO feed_epochs VALUES (1, 1, 'x'); UPDATE webhooks SET cursor = 99, epoch = 'x'",
      "webhooks"
    ],
    ["a lease that is nobody's", "UPDATE webhooks SET lease_until_ms = 1", "webhooks"],
    ["a state of a webhook that is none", "UPDATE webhooks SET state = 7", "values"],
    ["a key of an account that is gone", "DELETE FROM accounts", "references"],
    [
      "a date that can't be written",
      "UPDATE orders SET ship_date_ms = 253402300800000 WHERE id = 5",
      "values"
    ],
    [
      "an end of a key that can't be written",
      "UPDATE keys SET expires_ms = -62167219200001 WHERE id = 1",
      "values"
    ],
    ["a revision that is none", "UPDATE pets SET revision = 0 WHERE id = 1", "values"],
    [
      "a name that is too long",
      "UPDATE pets SET name = 'x' || hex(zeroblob(100)) WHERE id = 4",
      "values"
    ],
    ["a category without a name", "UPDATE categories SET name = ''", "values"]
  ])("finds %s", async (_case, sql, check) => {
    const { filename } = await aShop()
    change(filename, sql)
    expect(await checksFailing(filename)).toContain(check)
  })

  test.each([
    ["UPDATE pets SET folding = 'x' WHERE id = 4", "pets 4: foldedName does not match name"],
    [
      "INSERT INTO last_ids VALUES ('pets', 3)",
      "pets: the next id would be one that a row has already"
    ],
    [
      "UPDATE kept_totals SET count = 1000 WHERE tally = 'pets'",
      "pets: rows are counted up to id 1000, which was never assigned"
    ],
    [
      "DELETE FROM kept_totals WHERE tally = 'orders'",
      "orders: the id up to which rows are counted is missing"
    ],
    [
      "DELETE FROM orders WHERE id = 5",
      "order 5: is missing, although change 17, its last one, stored it"
    ],
    ["UPDATE webhooks SET lease_until_ms = 1", "webhook 1: has an incomplete lease or resync"]
  ])("after %s, a finding is: %s", async (sql, detail) => {
    const { filename } = await aShop()
    change(filename, sql)
    const findings = await Effect.runPromise(verify({ filename }))
    expect(findings.map((finding) => finding.detail)).toContain(detail)
  })

  test("finds damage within the file", async () => {
    const { filename, store } = await aShop()
    await store.close()
    const file = openSync(filename, "r+")
    for (let page = 6; page < 20; page++)
      writeSync(file, Buffer.alloc(64, 0x5a), 0, 64, page * 4_096)
    closeSync(file)
    expect(await checksFailing(filename)).toContain("file")
  })

  describe.each([
    ["a read-only file", 0o400, 0o700],
    ["a file in a read-only folder", 0o600, 0o500]
  ])("of %s", (_case, fileMode, folderMode) => {
    const putAway = (filename: string): string => {
      const kept = aFile()
      for (const suffix of ["", "-wal"]) {
        if (existsSync(filename + suffix)) copyFileSync(filename + suffix, kept + suffix)
      }
      chmodSync(kept, fileMode)
      chmodSync(dirname(kept), folderMode)
      onTestFinished(() => chmodSync(dirname(kept), 0o700))
      return kept
    }

    test("looks it through without a change, and leaves nothing anywhere", async () => {
      const temporary = aFolder()
      vi.stubEnv("TMPDIR", temporary)
      onTestFinished(() => {
        vi.unstubAllEnvs()
      })
      const { filename, store } = await aShop()
      await store.close()
      const whole = putAway(filename)
      change(filename, "UPDATE inventory SET sold = 0 WHERE id = 1")
      const damaged = putAway(filename)
      const before = readFileSync(whole)
      expect(await checksFailing(whole)).toEqual([])
      expect(await checksFailing(damaged)).toEqual(["units sold", "records by their last change"])
      expect(readdirSync(dirname(whole))).toEqual(["pets.db"])
      expect(readFileSync(whole)).toEqual(before)
      expect(readdirSync(temporary).filter((name) => name.startsWith("petstore-look"))).toEqual([])
    })

    test("sees and backs up what only the log has yet", async () => {
      const { filename, store } = await aShop()
      const kept = putAway(filename)
      expect(readdirSync(dirname(kept))).toEqual(["pets.db", "pets.db-wal"])
      const destination = join(aFolder(), "copy.db")
      await Effect.runPromise(backup({ filename: kept, destination }))
      expect(statSync(destination).mode & 0o777).toBe(0o600)
      const copy = await openStore({ filename: destination })
      expect(copy.direct.orders.list().items).toEqual(store.direct.orders.list().items)
      expect(readdirSync(dirname(kept))).toEqual(["pets.db", "pets.db-wal"])
    })
  })

  test("sees a store that is read-only and open as it is at that time", async () => {
    const { filename, store } = await aShop()
    chmodSync(filename, 0o400)
    expect(await checksFailing(filename)).toEqual([])
    change(filename, "UPDATE inventory SET sold = 0 WHERE id = 1")
    expect(await checksFailing(filename)).toEqual(["units sold", "records by their last change"])
    expect(store.direct.pets.list().items).toHaveLength(4)
  })

  test("makes no file where there is none", async () => {
    const filename = aFile()
    const answer = await Effect.runPromise(Effect.either(verify({ filename })))
    expect(Either.isLeft(answer) && answer.left.reason).toBe("Unavailable")
    expect(readdirSync(dirname(filename))).toEqual([])
  })

  test("tells of each check before it begins", async () => {
    const { filename } = await aShop()
    const told: Array<string> = []
    await Effect.runPromise(verify({ filename, onCheck: (check) => told.push(check) }))
    expect(told).toEqual([
      "file",
      "references",
      "totals",
      "units on order",
      "units sold",
      "units held",
      "units below zero",
      "units beyond count",
      "statuses",
      "orders of pets",
      "folded names",
      "accounts",
      "keys",
      "feed of changes",
      "records by their last change",
      "webhooks",
      "values",
      "ids"
    ])
  })
})

describe("backup", () => {
  test("copies a store while it is open, readable by its owner only, and leaves nothing beside it", async () => {
    const { filename, store } = await aShop()
    const destination = join(aFolder(), "copy.db")
    await Effect.runPromise(backup({ filename, destination }))
    expect(statSync(destination).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(destination))).toEqual(["copy.db"])
    const copy = await openStore({ filename: destination })
    expect(copy.direct.orders.list().items).toEqual(store.direct.orders.list().items)
    expect(await checksFailing(destination)).toEqual([])
  })

  test("has a feed of another name, so that who goes back to it knows that its place means nothing there", async () => {
    const { filename, store } = await aShop()
    const [epoch, last] = [await store.changes.epoch(), await store.changes.last()]
    const destination = join(aFolder(), "copy.db")
    await Effect.runPromise(backup({ filename, destination }))
    const copy = await openStore({ filename: destination })
    expect(await copy.changes.last()).toBe(last)
    expect(await copy.changes.epoch()).not.toBe(epoch)
    const reader = copy.changes({ after: last, epoch })
    expect((await reader.next()).value).toEqual({ type: "resync", sequence: last })
    expect(await store.changes.epoch()).toBe(epoch)
  })

  test("is what the store was when it began, however much is written meanwhile, and tells how far it is", async () => {
    const filename = aFile()
    const store = await openStore({ filename, durability: "relaxed" })
    const { id: categoryId } = store.direct.categories.create({ name: "Fish" })
    change(
      filename,
      `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
       INSERT INTO pets (revision, name, category_id, status, on_order, sold)
       SELECT 1, 'Goldie ' || i, ${categoryId}, 0, 0, 0 FROM n;
       INSERT INTO changes (revision, at_ms, type, kind, record_id, after)
       SELECT 1, 0, 0, 0, id, json_array(0, id, 1, name, NULL, category_id, 0, 0, 0) FROM pets;
       INSERT INTO kept_totals VALUES ('pets_status', 0, 0, 60000), ('pets_category_status', ${categoryId}, 0, 60000);
       UPDATE kept_totals SET count = 60000 WHERE tally = 'pets'`
    )
    const destination = join(aFolder(), "copy.db")
    const progress: Array<number> = []
    let writes = 0
    await Effect.runPromise(
      backup({
        filename,
        destination,
        onProgress: ({ copiedPages, totalPages }) => {
          store.direct.pets.create({ name: "Late", categoryId })
          writes++
          progress.push(copiedPages / totalPages)
        }
      })
    )
    expect(writes).toBeGreaterThan(1)
    expect(progress.length).toBeLessThan(20)
    expect(progress).toEqual(progress.toSorted((left, right) => left - right))
    const copy = await openStore({ filename: destination })
    expect(copy.direct.pets.list({ total: true, limit: 1 }).total).toBe(60_000)
  })

  test("replaces nothing", async () => {
    const { filename } = await aShop()
    const destination = aFile()
    writeFileSync(destination, "mine")
    const answer = await Effect.runPromise(Effect.either(backup({ filename, destination })))
    expect(Either.isLeft(answer) && answer.left.message).toContain(destination)
    expect(statSync(destination).size).toBe(4)
  })

  test("fails where the copy is not whole, and leaves nothing behind", async () => {
    const { filename } = await aShop()
    change(filename, "DELETE FROM orders WHERE id = 1")
    const destination = aFile()
    const answer = await Effect.runPromise(Effect.either(backup({ filename, destination })))
    expect(Either.isLeft(answer) && answer.left.reason).toBe("Corrupt")
    expect(readdirSync(dirname(destination))).toEqual([])
  })

  test("says why the copy can't be made", async () => {
    const { filename } = await aShop()
    const folder = aFolder()
    writeFileSync(join(folder, "file"), "")
    const failureOf = async (destination: string) => {
      const answer = await Effect.runPromise(Effect.either(backup({ filename, destination })))
      return Either.isLeft(answer) ? [answer.left.reason, answer.left.detail] : undefined
    }
    const missing = join(folder, "missing", "copy.db")
    expect(await failureOf(missing)).toEqual([
      "Unavailable",
      `the folder of ${missing} does not exist`
    ])
    const within = join(folder, "file", "copy.db")
    expect(await failureOf(within)).toEqual(["Unavailable", `the folder of ${within} is no folder`])
    chmodSync(folder, 0o500)
    const barred = join(folder, "copy.db")
    expect(await failureOf(barred)).toEqual([
      "ReadOnly",
      `${barred} can't be made: its folder is read-only`
    ])
  })
})
