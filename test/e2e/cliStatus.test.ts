/** The report of a store for an operator, by the built command. */
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Connection } from "../../packages/storage-sqlite/src/driver/Driver.js"
import { driverOf } from "../../packages/storage-sqlite/src/driver/driverOf.js"
import { openSqlite } from "./openSqlite.js"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { shop } from "./firstSchema.js"
import { APPLICATION_ID } from "../../packages/storage-sqlite/src/migrations/version.js"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, type Served, served } from "./petstore.js"
import { webhookReceiver } from "./WebhookReceiver.js"

const folder = folders()
afterEach(killAll)

let db = ""
beforeEach(() => {
  db = join(folder(), "shop.db")
})

type Status = {
  readonly ok: boolean
  readonly attention: ReadonlyArray<{
    readonly code: string
    readonly message: string
    readonly command?: string
    readonly webhook?: number
    readonly account?: number
    readonly key?: number
  }>
  readonly schema: number | null
  readonly counts: Readonly<Record<string, number>> | null
  readonly logBytes: number
  readonly processes: ReadonlyArray<{ readonly pid: number; readonly command: string }> | null
  readonly error?: { readonly code: string; readonly exitCode: number }
}

const MEMBERS = [
  "file",
  "path",
  "at",
  "ok",
  "attention",
  "schema",
  "currentSchema",
  "sqlite",
  "fileBytes",
  "logBytes",
  "diskBytes",
  "diskFreeBytes",
  "checked",
  "damage",
  "createdAt",
  "lastBackupAt",
  "restoredAt",
  "upgradedAt",
  "counts",
  "processes",
  "webhooksBehind",
  "bannedCallers",
  "callersNearLimit",
  "expiringKeys"
]

/** What programs get: the same members each time, and an error exactly where the exit code is 1. */
const statusOf = async (
  ...args: ReadonlyArray<string>
): Promise<Status & Readonly<Record<string, unknown>>> => {
  const { code, stdout, stderr } = await petstore(["status", "--json", "--db", db, ...args])
  expect(stdout).toMatch(/^[^\n]+\n$/)
  const status: Status = JSON.parse(stdout)
  expect(Object.keys(status)).toEqual([...MEMBERS, ...(code === 0 ? [] : ["error"])])
  expect([status.ok, status.attention.length === 0]).toEqual([code === 0, code === 0])
  if (code === 0) expect(stderr).toBe("")
  else expect([code, stderr]).toEqual([1, expect.stringMatching(/^petstore: [^\n]+\n$/)])
  return JSON.parse(stdout)
}

const codesOf = ({ attention }: Status) => attention.map(({ code }) => code)

/** Changes a file as nothing of ours does. */
const change = (work: (file: Connection) => void): void => {
  const file = openSqlite(db)
  try {
    work(file)
  } finally {
    file.close()
  }
}

const bytesOf = () =>
  readdirSync(dirname(db))
    .filter((name) => !name.endsWith("-shm"))
    .map((name) => [name, readFileSync(join(dirname(db), name)).toString("base64")])

const addCategory = async (shop: Served, name: string, key?: string): Promise<void> => {
  const body = JSON.stringify({ name })
  expect((await shop.call("/categories", { method: "POST", body }, key)).status).toBe(201)
}

const aKey = (...args: ReadonlyArray<string>) =>
  petstoreJson<{ readonly id: number; readonly account: number; readonly key: string }>(
    "keys",
    "create",
    ...args,
    "--db",
    db
  )

describe("petstore status", { timeout: 60_000 }, () => {
  test("of a store that is well has nothing to say but facts, and ends with 0", async () => {
    await petstoreJson("seed", "--db", db)
    const before = bytesOf()
    const status = await statusOf()
    expect(status.schema).toBe(status["currentSchema"])
    expect(status).toMatchObject({
      file: db,
      sqlite: { version: expect.stringMatching(/^3\.\d+\.\d+$/), driver: driverOf().name },
      checked: true,
      damage: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastBackupAt: null,
      counts: {
        pets: 200,
        categories: 12,
        orders: 64,
        inventory: 62,
        accounts: 0,
        keys: 0,
        webhooks: 0
      },
      processes: process.platform === "linux" ? [] : null
    })
    const { code, stdout, stderr } = await petstore(["status", "--db", db])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^Nothing needs attention\.\n\nFILE\n/)
    expect(stdout).toContain("200 pets, 12 categories, 64 orders")
    expect(stdout.split("\n").filter((line) => line.length > 80 && !line.includes(db))).toEqual([])
    expect(bytesOf()).toEqual(before)
  })

  test("of a store that is served has what was written last, and who serves it", async () => {
    const shop = await served("--db", db)
    await addCategory(shop, "Fish")
    const { counts, logBytes, processes } = await statusOf()
    expect([counts?.["categories"], counts?.["keys"]]).toEqual([1, 1])
    expect(logBytes).toBeGreaterThan(0)
    if (process.platform === "linux") {
      expect(processes).toEqual([
        { pid: shop.child.pid, command: expect.stringContaining("serve") }
      ])
    }
    await addCategory(shop, "Dogs")
    expect((await statusOf()).counts).toMatchObject({ categories: 2 })
  })

  test("of a store whose server was killed has what was written last, and leaves its log to the next", async () => {
    const shop = await served("--db", db)
    await addCategory(shop, "Fish")
    shop.child.kill("SIGKILL")
    await shop.ended
    const before = bytesOf()
    expect(await statusOf()).toMatchObject({ ok: true, counts: { categories: 1 } })
    expect(bytesOf()).toEqual(before)
    await addCategory(await served("--db", db), "Dogs", shop.key)
  })

  test("of a store of an earlier version says to upgrade it, and changes nothing", async () => {
    change((file) => {
      file.exec(shop)
      file.pragma(`application_id = ${APPLICATION_ID}`)
      file.pragma("user_version = 1")
    })
    const before = bytesOf()
    const status = await statusOf()
    expect(status).toMatchObject({ schema: 1, counts: { pets: 0 }, lastBackupAt: null })
    expect(status.attention).toEqual([
      {
        code: "older_version",
        message: expect.stringMatching(
          /^The file has schema 1, and this version needs \d+; stop its servers/
        ),
        command: `petstore upgrade --db ${db}`
      }
    ])
    expect(status.error).toMatchObject({ code: "needs_attention", exitCode: 1 })
    expect(bytesOf()).toEqual(before)
  })

  test("of a file that is damaged or no store says what is wrong, and what to do", async () => {
    await petstoreJson("seed", "--count", "2000", "--db", db)
    const whole = `${db}.whole`
    copyFileSync(db, whole)
    const bytes = readFileSync(whole)
    const cases = [
      [
        "corrupt",
        Buffer.from("these are notes of mine"),
        /is not a SQLite file; if it is not the file/
      ],
      ["corrupt", bytes.subarray(0, 8_192), /is truncated/],
      ["corrupt", Buffer.alloc(0), /is empty/],
      [
        "unavailable",
        Buffer.from(bytes).fill(7, 68, 72),
        /belongs to another application; name the file/
      ],
      ["newer_version", Buffer.from(bytes).fill(0xff, 63, 64), /was written by a newer version/]
    ] as const
    for (const [code, content, says] of cases) {
      writeFileSync(db, content)
      const { error, attention, schema, fileBytes } = await statusOf()
      expect([error?.code, attention[0]?.code, schema, fileBytes]).toEqual([
        code,
        code,
        null,
        content.length
      ])
      expect(attention[0]?.message).toMatch(says)
      expect(readFileSync(db).equals(content)).toBe(true)
    }
    // Every page but the first few, so that whatever is read or checked first meets one.
    for (let at = 4 * 4_096; at < bytes.length; at += 4_096) bytes.fill(0xa5, at + 64, at + 576)
    writeFileSync(db, bytes)
    const status = await statusOf()
    expect(["damaged", "corrupt"]).toContain(codesOf(status)[0])
    expect(status.attention[0]?.command).toBe(`petstore restore BACKUP --db ${db}`)
    const people = await petstore(["status", "--db", db])
    expect(people.stdout).toMatch(/^NEEDS ATTENTION\n- /)
    expect(people.stdout).toContain(`    petstore restore BACKUP --db ${db}\n`)
  })

  test("of a name that leads to nothing makes nothing", async () => {
    const missing = await petstore(["status", "--db", db, "--json"])
    expect([missing.code, JSON.parse(missing.stdout).error.code]).toEqual([1, "no_store"])
    symlinkSync(`${db}.none`, db)
    expect((await petstore(["status", "--db", db])).code).toBe(1)
    expect(readdirSync(dirname(db))).toEqual(["shop.db"])
  })
})

describe("petstore status names", { timeout: 60_000 }, () => {
  test("a backup that is older than asked for, until there is another one", async () => {
    await petstoreJson("seed", "--db", db)
    const weekAgoMs = Date.now() - 7 * 86_400_000 - 1
    change((file) =>
      file.command("UPDATE about SET value = ? WHERE name = 'created_ms'").run(String(weekAgoMs))
    )
    const old = await statusOf()
    expect(codesOf(old)).toEqual(["backup_old"])
    expect(old.attention[0]?.message).toBe(
      `No backup is known of; make one: petstore backup DEST --db ${db}`
    )
    expect(codesOf(await statusOf("--backup-within", "8d"))).toEqual([])
    await petstoreJson("backup", `${db}.monday`, "--db", db)
    expect(await statusOf()).toMatchObject({ ok: true, lastBackupAt: expect.stringMatching(/Z$/) })
    expect(codesOf(await statusOf("--backup-within", "0s"))).toEqual(["backup_old"])
    const wrong = await petstore(["status", "--db", db, "--backup-within", "soon"])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--backup-within")])
  })

  test("a key that expires within 14 days, without its text", async () => {
    const soon = new Date(Date.now() + 13 * 86_400_000).toISOString()
    const later = new Date(Date.now() + 15 * 86_400_000).toISOString()
    const { id, account, key } = await aKey("--plan", "pro", "--name", "Till", "--expires", soon)
    await aKey("--account", String(account), "--expires", later)
    const status = await statusOf()
    expect(status).toMatchObject({
      attention: [{ code: "key_expiring", key: id }],
      expiringKeys: [{ id, account, name: "Till", start: key.slice(0, 8), lastUsedAt: null }]
    })
    const { stdout, stderr } = await petstore(["status", "--db", db])
    for (const said of [JSON.stringify(status), stdout, stderr]) expect(said).not.toContain(key)
    await petstoreJson("keys", "expire", String(id), "never", "--db", db)
    expect(await statusOf()).toMatchObject({ ok: true, expiringKeys: [] })
  })

  test("an account that is banned", async () => {
    const { account, key } = await aKey(
      "--plan",
      "enterprise",
      "--per-minute",
      "1",
      "--per-day",
      "1",
      "--name",
      "Bot"
    )
    const shop = await served("--db", db)
    const ask = async (): Promise<unknown> => {
      const { code }: { readonly code?: string } = JSON.parse(
        await (await shop.call("/categories", {}, key)).text()
      )
      return code
    }
    await expect.poll(ask, { interval: 200 }).toBe("key_banned")
    const status = await statusOf()
    expect(status.attention).toMatchObject([
      {
        code: "caller_banned",
        account,
        command: `petstore limits explain --account ${account} --db ${db}`
      }
    ])
    expect(status).toMatchObject({
      bannedCallers: [{ account, name: "Bot" }],
      callersNearLimit: []
    })
    await petstoreJson("accounts", "unban", String(account), "--db", db)
    expect(await statusOf()).toMatchObject({
      attention: [{ code: "caller_near_limit", account }],
      bannedCallers: [],
      callersNearLimit: [{ account, window: "day", used: 1, limit: 1 }]
    })
  })

  test("a webhook whose receiver refuses what it is sent, and one that is switched off", async () => {
    const receiver = await webhookReceiver()
    receiver.answer(500)
    const { key } = await aKey("--plan", "pro")
    const add = [
      "webhooks",
      "add",
      `${receiver.url}?token=hunter2`,
      "--allow-http",
      "--allow-private"
    ]
    for (let nth = 0; nth < 2; nth++)
      await petstoreJson(...add, "--type", "category.created", "--db", db)
    await petstoreJson("webhooks", "disable", "2", "--db", db)
    expect(await statusOf()).toMatchObject({ ok: true, webhooksBehind: [] })
    const shop = await served("--db", db, "--allow-http-webhooks", "--allow-private-webhooks")
    await addCategory(shop, "Fish", key)
    await expect
      .poll(async () => codesOf(await statusOf()))
      .toEqual(["webhook_behind", "webhook_disabled"])
    const status = await statusOf()
    expect(status).toMatchObject({
      attention: [
        { webhook: 1, command: `petstore webhooks show 1 --db ${db}` },
        { webhook: 2, command: `petstore webhooks enable 2 --db ${db}` }
      ],
      webhooksBehind: [
        {
          id: 1,
          origin: new URL(receiver.url).origin,
          state: "enabled",
          pending: 1,
          needsResync: false
        },
        { id: 2, state: "disabled", pending: 1, failures: 0, nextAttemptAt: null }
      ]
    })
    expect(JSON.stringify(status)).not.toContain("hunter2")
    receiver.answer(204)
    for (const id of ["1", "2"]) await petstoreJson("webhooks", "enable", id, "--db", db)
    await expect.poll(async () => (await statusOf()).ok).toBe(true)
  })
})
