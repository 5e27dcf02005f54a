import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { basename, dirname } from "node:path"
import { CHANGE_TYPES, StorageError } from "@petstore/core"
import { accountKey, NO_USAGE } from "@petstore/core/adapter"
import type { UsageRecord } from "@petstore/core/storage"
import type { Connection } from "../src/driver/Driver.js"
import { driverOf } from "../src/driver/driverOf.js"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { backup, status, type StatusOptions, type StoreContents } from "../src/index.js"
import { fewerIndexes } from "../src/migrations/0002_fewer_indexes.js"
import { idsByRows } from "../src/migrations/0003_ids_by_rows.js"
import { totalsFollow } from "../src/migrations/0004_totals_follow.js"
import { SCHEMA_VERSION } from "../src/migrations/migrate.js"
import { APPLICATION_ID } from "../src/migrations/version.js"
import { UsageTable } from "../src/usage/UsageTable.js"
import { aFile, openStore } from "./aFile.js"
import { shop } from "../../../test/e2e/firstSchema.js"

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The start of a day, so that windows are easy to tell. */
const NOW_MS = Date.UTC(2030, 0, 1, 12)

const statusOf = (options: StatusOptions) => Effect.runPromise(status(options))

const contentsOf = async (options: StatusOptions): Promise<StoreContents> => {
  const { contents } = await statusOf(options)
  if (contents instanceof StorageError) throw contents
  return contents
}

const failureOf = async (filename: string): Promise<StorageError> => {
  const { contents } = await statusOf({ filename })
  if (contents instanceof StorageError) return contents
  throw new Error("it can be read")
}

const opened = (filename: string): Connection => {
  const file = openSqlite(filename)
  onTestFinished(() => file.close())
  return file
}

/** Changes a file as nothing of ours does, and closes it. */
const change = (filename: string, work: (file: Connection) => void): void => {
  const file = openSqlite(filename)
  try {
    work(file)
  } finally {
    file.close()
  }
}

/** A file with three pets, one of them ordered, and what has to be counted with them. */
const aShop = async (): Promise<string> => {
  const filename = aFile()
  const store = await openStore({ filename })
  const { categories, pets, orders, inventory, accounts, keys } = store.direct
  const { id: categoryId } = categories.create({ name: "Fish" })
  for (const name of ["Goldie", "Nemo", "Dory"]) pets.create({ name, categoryId })
  inventory.set(1, { quantity: 10 })
  orders.place({ petId: 1, quantity: 2 })
  keys.create(accounts.create({ plan: "free", name: "Till" }).id)
  await store.close()
  return filename
}

/** The same as a process has left it that was killed: what it wrote is in the log. */
const aKilledShop = async (): Promise<string> => {
  const original = await aShop()
  const store = await openStore({ filename: original })
  store.direct.categories.create({ name: "Cats" })
  const filename = aFile()
  for (const suffix of ["", "-wal", "-shm"]) copyFileSync(original + suffix, filename + suffix)
  await store.close()
  return filename
}

const STEPS = [shop, fewerIndexes, idsByRows, totalsFollow]

/** A file of an earlier schema, with a pet that was ordered twice. */
const anEarlierShop = (schema: number): string => {
  const filename = aFile()
  const totals = schema < 4 ? "tallies" : "kept_totals"
  change(filename, (file) => {
    file.pragma("journal_mode = WAL")
    file.withWritableSchema(() => {
      for (const step of STEPS.slice(0, schema)) file.exec(step)
    })
    file.exec(`
      INSERT INTO categories (revision, name) VALUES (1, 'Dogs');
      INSERT INTO pets (revision, name, category_id, status, on_order, sold) VALUES (1, 'Rex', 1, 0, 0, 0);
      INSERT INTO inventory VALUES (1, 1, 7, 0, 3, 0);
      INSERT INTO orders (revision, pet_id, complete, held) VALUES (1, 1, 0, 2), (1, 1, 0, 1);
      INSERT INTO ${totals} VALUES ('inventory_status', 0, 0, 1);
      INSERT INTO accounts (revision, name, plan, created_ms) VALUES (1, 'Till', 'free', 0);
      INSERT INTO keys (revision, account_id, name, digest, start, created_ms, expires_ms, disabled)
        VALUES (1, 1, 'Old till', '0', 'ps_0', 0, ${NOW_MS + DAY_MS}, 0);`)
    file.pragma(`application_id = ${APPLICATION_ID}`)
    file.pragma(`user_version = ${schema}`)
  })
  return filename
}

/** A file and what is beside it, byte for byte. What is shared of a log is no part of the store. */
const bytesOf = (filename: string) =>
  readdirSync(dirname(filename))
    .filter((name) => !name.endsWith("-shm"))
    .toSorted()
    .map((name) => [name, readFileSync(`${dirname(filename)}/${name}`).toString("base64")])

describe("a store's status", () => {
  test("has its schema, SQLite and driver, sizes, counts, and what is known of its past", async () => {
    const filename = await aShop()
    await Effect.runPromise(backup({ filename, destination: `${filename}.backup` }))
    const found = await statusOf({ filename })
    const { contents, ...around } = found
    expect(around).toMatchObject({
      path: filename,
      fileBytes: readFileSync(filename).length,
      logBytes: 0,
      currentSchema: SCHEMA_VERSION,
      driver: driverOf().name
    })
    expect(around.diskFreeBytes).toBeGreaterThan(0)
    expect(around.diskBytes).toBeGreaterThanOrEqual(around.diskFreeBytes ?? 0)
    expect(contents).toMatchObject({
      schema: SCHEMA_VERSION,
      sqliteVersion: opened(filename).values("SELECT sqlite_version()").get(),
      damage: undefined,
      isChecked: true,
      counts: {
        pets: 3,
        categories: 1,
        orders: 1,
        inventory: 1,
        changes: 7,
        accounts: 1,
        keys: 1,
        webhooks: 0
      },
      webhooksBehind: [],
      expiringKeys: [],
      bannedCallers: [],
      callersNearLimit: []
    })
    const { createdMs = 0, lastBackupMs = 0 } = (await contentsOf({ filename })).about
    expect(createdMs).toBeGreaterThan(Date.now() - MINUTE_MS)
    expect(lastBackupMs).toBeGreaterThanOrEqual(createdMs)
  })

  test("counts as many changes as are kept", async () => {
    const filename = await aShop()
    change(filename, (file) => file.exec("DELETE FROM changes WHERE id < 4"))
    expect((await contentsOf({ filename })).counts?.changes).toBe(4)
    change(filename, (file) => file.exec("DELETE FROM changes"))
    expect((await contentsOf({ filename })).counts?.changes).toBe(0)
  })

  test("fails where there is no file", async () => {
    const failure = await Effect.runPromise(Effect.flip(status({ filename: aFile() })))
    expect([failure.reason, failure.detail]).toEqual([
      "Unavailable",
      expect.stringContaining("does not exist")
    ])
  })
})

describe("asking for it changes nothing", () => {
  test.each([
    ["that nobody has open", aShop],
    ["whose log was left by a process that was killed", aKilledShop],
    ["of the first schema", async () => anEarlierShop(1)]
  ])("of a file %s", async (_case, make) => {
    const filename = await make()
    const before = bytesOf(filename)
    await contentsOf({ filename })
    expect(bytesOf(filename)).toEqual(before)
  })

  test("of a file that is read-only, whose folder is too", async () => {
    const filename = await aShop()
    const before = bytesOf(filename)
    chmodSync(filename, 0o400)
    chmodSync(dirname(filename), 0o500)
    onTestFinished(() => chmodSync(dirname(filename), 0o700))
    expect((await contentsOf({ filename })).counts?.pets).toBe(3)
    expect(readdirSync(dirname(filename))).toEqual([basename(filename)])
    expect(bytesOf(filename)).toEqual(before)
  })

  test("of a file that is open: what was written last is told, and its log stays", async () => {
    const filename = await aShop()
    const store = await openStore({ filename })
    store.direct.categories.create({ name: "Cats" })
    const before = bytesOf(filename)
    const { logBytes, contents } = await statusOf({ filename })
    expect(contents).toMatchObject({ counts: { categories: 2 } })
    expect(logBytes).toBeGreaterThan(0)
    expect(bytesOf(filename)).toEqual(before)
    store.direct.categories.create({ name: "Dogs" })
  })

  test("what a killed process has left in the log is told", async () => {
    const filename = await aKilledShop()
    expect((await contentsOf({ filename })).counts?.categories).toBe(2)
  })

  test("and it waits for nobody who writes", async () => {
    const filename = await aShop()
    const writer = opened(filename)
    writer.exec("BEGIN IMMEDIATE; INSERT INTO categories (revision, name) VALUES (1, 'Cats')")
    expect((await contentsOf({ filename })).counts?.categories).toBe(1)
    writer.exec("COMMIT")
    expect((await contentsOf({ filename })).counts?.categories).toBe(2)
  })
})

describe("of a file of an earlier schema", () => {
  test.each([1, 2, 3, 4])(
    "(%i) it tells what there is, the schema, and what is not known",
    async (schema) => {
      const { contents, currentSchema } = await statusOf({
        filename: anEarlierShop(schema),
        nowMs: NOW_MS
      })
      expect(currentSchema).toBe(SCHEMA_VERSION)
      expect(contents).toMatchObject({
        schema,
        about: { createdMs: undefined, lastBackupMs: undefined },
        counts: { pets: 1, orders: 2, inventory: 1, categories: 1, changes: 0, keys: 1 },
        expiringKeys: [{ id: 1, name: "Old till" }],
        webhooksBehind: [],
        // Counts of requests have columns since schema 5 without which they can't be told.
        bannedCallers: undefined,
        callersNearLimit: undefined
      })
    }
  )
})

describe("of a file that is no whole store it says why, and what the system tells of it", () => {
  test("one of another application, and one that is no SQLite file", async () => {
    const filename = aFile()
    change(filename, (file) =>
      file.exec("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
    )
    const before = bytesOf(filename)
    expect(await failureOf(filename)).toMatchObject({
      reason: "Unavailable",
      detail: expect.stringMatching(/another application; name the file of a store$/)
    })
    expect(bytesOf(filename)).toEqual(before)
    writeFileSync(filename, "notes of mine")
    expect((await failureOf(filename)).reason).toBe("Corrupt")
    expect(await statusOf({ filename })).toMatchObject({
      path: filename,
      fileBytes: 13,
      logBytes: 0
    })
  })

  test("one that was cut off, and one of a newer version", async () => {
    const filename = await aShop()
    const newer = aFile()
    copyFileSync(filename, newer)
    change(newer, (file) => file.pragma("user_version = 999"))
    expect((await failureOf(newer)).reason).toBe("NewerVersion")
    truncateSync(filename, 4_096)
    expect((await failureOf(filename)).reason).toBe("Corrupt")
  })

  test("damage in the middle of it is found", async () => {
    const filename = await aShop()
    const bytes = readFileSync(filename)
    // The last page of the file is in use: what was made last is there.
    for (let at = bytes.length - 2_048; at < bytes.length; at++) bytes[at] = 0xa5
    writeFileSync(filename, bytes)
    const { contents } = await statusOf({ filename })
    if (contents instanceof StorageError) expect(contents.reason).toBe("Corrupt")
    else expect(contents.damage).toMatch(/\w/)
  })
})

describe("keys that expire within 14 days", () => {
  const keysAt = async (filename: string, nowMs: number) =>
    (await contentsOf({ filename, nowMs })).expiringKeys

  const aKey = async (sql: string): Promise<string> => {
    const filename = await aShop()
    change(filename, (file) => file.exec(`UPDATE keys SET expires_ms = ${NOW_MS}, ${sql}`))
    return filename
  }

  test("are told from 14 days before until they have expired, never with their text", async () => {
    const filename = await aKey("name = 'Till 1'")
    const [key] = (await keysAt(filename, NOW_MS - 14 * DAY_MS)) ?? []
    const start = opened(filename).values("SELECT start FROM keys").get()
    expect(key).toEqual({
      id: 1,
      accountId: 1,
      name: "Till 1",
      start,
      expiresMs: NOW_MS,
      usedMs: null
    })
    expect(await keysAt(filename, NOW_MS - 1)).toHaveLength(1)
    expect(await keysAt(filename, NOW_MS - 14 * DAY_MS - 1)).toEqual([])
    expect(await keysAt(filename, NOW_MS)).toEqual([])
  })

  test.each([
    ["disabled", "disabled = 1"],
    ["revoked", `revoked_ms = ${NOW_MS - DAY_MS}`],
    ["replaced by another and ends before", `revoked_ms = ${NOW_MS - 1}`]
  ])("one that is %s is not told", async (_case, sql) => {
    expect(await keysAt(await aKey(sql), NOW_MS - DAY_MS / 2)).toEqual([])
  })

  test("have when they were last used", async () => {
    const filename = await aKey("revoked_ms = NULL")
    change(filename, (file) =>
      file.command("INSERT INTO key_uses VALUES (1, 1, ?)").run(NOW_MS - DAY_MS)
    )
    expect(await keysAt(filename, NOW_MS - MINUTE_MS)).toMatchObject([{ usedMs: NOW_MS - DAY_MS }])
  })
})

describe("callers", () => {
  const FRESH = { minuteStartMs: NOW_MS, dayStartMs: NOW_MS - DAY_MS / 2 }

  /** The one account, on the plan free: 60 a minute, 1,000 a day. */
  const callersWith = async (usage: Partial<UsageRecord>, options: Partial<StatusOptions> = {}) => {
    const filename = await aShop()
    change(filename, (file) =>
      new UsageTable(file).put(accountKey(1), { ...NO_USAGE, ...FRESH, ...usage })
    )
    const { bannedCallers, callersNearLimit } = await contentsOf({
      filename,
      nowMs: NOW_MS,
      ...options
    })
    return { banned: bannedCallers, near: callersNearLimit }
  }

  test("who have used 90 % of a minute or a day are near that limit, others are not", async () => {
    expect(await callersWith({ minuteUsed: 53, dayUsed: 899 })).toEqual({ banned: [], near: [] })
    expect((await callersWith({ minuteUsed: 54, dayUsed: 899 })).near).toEqual([
      {
        accountId: 1,
        name: "Till",
        window: "minute",
        used: 54,
        limit: 60,
        resetMs: NOW_MS + MINUTE_MS
      }
    ])
    expect((await callersWith({ minuteUsed: 60, dayUsed: 900 })).near).toMatchObject([
      { window: "day", used: 900, limit: 1_000, resetMs: NOW_MS + DAY_MS / 2 }
    ])
  })

  test("whose minute and day are over have used nothing", async () => {
    const used = { minuteUsed: 60, dayUsed: 900 }
    expect((await callersWith(used, { nowMs: NOW_MS + DAY_MS / 2 })).near).toEqual([])
    expect((await callersWith(used, { nowMs: NOW_MS + MINUTE_MS })).near).toMatchObject([
      { window: "day" }
    ])
  })

  test("are measured by the plans in force", async () => {
    const plans = {
      free: { perMinute: 600, perDay: 10_000 },
      pro: { perMinute: 1, perDay: 1 },
      business: { perMinute: 1, perDay: 1 }
    }
    expect((await callersWith({ minuteUsed: 60, dayUsed: 900 }, { plans })).near).toEqual([])
  })

  test("who are banned are told until the ban ends, and not as near a limit", async () => {
    const ban = {
      minuteUsed: 60,
      dayUsed: 60,
      bans: 1,
      lastBanMs: NOW_MS,
      bannedUntilMs: NOW_MS + 2 * MINUTE_MS
    }
    expect(await callersWith(ban)).toEqual({
      banned: [{ accountId: 1, name: "Till", bannedUntilMs: NOW_MS + 2 * MINUTE_MS }],
      near: []
    })
    expect((await callersWith(ban, { nowMs: NOW_MS + 2 * MINUTE_MS })).banned).toEqual([])
  })
})

describe("webhooks", () => {
  /**
   * A shop with a webhook for two changes, of which the one that is asked for was made at `NOW_MS`.
   */
  const aWebhook = async (
    sql = "revision = 1",
    types = ["pet.created"] as const
  ): Promise<string> => {
    const filename = await aShop()
    const store = await openStore({ filename })
    store.direct.webhooks.create({ url: "https://shop.example/hooks/secret", types: [...types] })
    store.direct.pets.create({ name: "Bubbles", categoryId: 1 })
    store.direct.categories.create({ name: "Cats" })
    await store.close()
    change(filename, (file) => {
      file.exec(`UPDATE changes SET at_ms = ${NOW_MS}; UPDATE webhooks SET state_ms = 1000, ${sql}`)
    })
    return filename
  }

  const behindAt = async (filename: string, nowMs: number) =>
    (await contentsOf({ filename, nowMs })).webhooksBehind

  test("whose changes wait for a minute are behind, since the first of them, with those that they ask for", async () => {
    const filename = await aWebhook()
    expect(await behindAt(filename, NOW_MS + MINUTE_MS - 1)).toEqual([])
    expect(await behindAt(filename, NOW_MS + MINUTE_MS)).toEqual([
      {
        id: 1,
        origin: "https://shop.example",
        state: "enabled",
        sinceMs: NOW_MS,
        pending: 1,
        needsResync: false,
        failures: 0,
        nextMs: null
      }
    ])
  })

  test("who do not ask for what has happened are not behind", async () => {
    const filename = await aWebhook(`types = '${CHANGE_TYPES[6]}'`)
    expect(await behindAt(filename, NOW_MS + DAY_MS)).toEqual([])
  })

  test("without types wait for every change", async () => {
    const filename = await aWebhook("types = ''")
    expect(await behindAt(filename, NOW_MS + DAY_MS)).toMatchObject([{ pending: 2 }])
  })

  test("one attempt of whose message has failed are behind at once", async () => {
    const filename = await aWebhook(`failures = 1, next_ms = ${NOW_MS + 5_000}`)
    expect(await behindAt(filename, NOW_MS)).toMatchObject([
      { state: "enabled", failures: 1, nextMs: NOW_MS + 5_000 }
    ])
  })

  test.each([
    ["failing", 2],
    ["gone", 3]
  ])("that are %s are told, whether anything waits or not", async (state, code) => {
    const filename = await aWebhook(`state = ${code}, cursor = (SELECT max(id) FROM changes)`)
    expect(await behindAt(filename, NOW_MS)).toMatchObject([{ state, sinceMs: 1_000, pending: 0 }])
  })

  test("that are disabled are told where something waits", async () => {
    const waiting = await aWebhook("state = 1")
    expect(await behindAt(waiting, NOW_MS)).toMatchObject([
      { state: "disabled", sinceMs: 1_000, pending: 1 }
    ])
    const done = await aWebhook("state = 1, cursor = (SELECT max(id) FROM changes)")
    expect(await behindAt(done, NOW_MS)).toEqual([])
  })

  test.each([
    ["its place is one of another feed", "epoch = 'another'"],
    ["its place is after the last change", "cursor = 1000"],
    ["its resync is still to be delivered", `resync_to = cursor, resync_ms = ${NOW_MS - MINUTE_MS}`]
  ])("have to load anew where %s", async (_case, sql) => {
    const filename = await aWebhook(sql)
    expect(await behindAt(filename, NOW_MS)).toMatchObject([{ needsResync: true }])
  })

  test("have to load anew where the changes that they miss are not kept", async () => {
    const filename = await aWebhook("cursor = 2")
    change(filename, (file) => file.exec("DELETE FROM changes WHERE id <= 4"))
    expect(await behindAt(filename, NOW_MS)).toMatchObject([{ needsResync: true, sinceMs: null }])
  })
})
