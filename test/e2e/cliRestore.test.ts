/** The restore drill: serve, write, backup, write more, revoke a key, SIGKILL, restore, serve. */
import { execFileSync, spawnSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { openSqlite, recordsIn } from "./openSqlite.js"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import {
  killAll,
  launcher,
  petstore,
  petstoreJson,
  type Served,
  served,
  start
} from "./petstore.js"
import { LONG } from "./sqlitePrograms.js"
import { webhookReceiver } from "./WebhookReceiver.js"

const folder = folders()
afterEach(killAll)

let db = ""
beforeEach(() => {
  db = join(folder(), "shop.db")
})

const kill = async ({ child, ended }: Pick<Served, "child" | "ended">): Promise<void> => {
  child.kill("SIGKILL")
  await ended
}

const create = async (
  { call }: Served,
  path: string,
  body: object,
  key?: string
): Promise<number> => {
  const answered = await call(path, { method: "POST", body: JSON.stringify(body) }, key)
  expect(answered.status).toBe(201)
  return ((await answered.json()) as { readonly id: number }).id
}

const ids = async (
  { call }: Served,
  path: string,
  key?: string
): Promise<ReadonlyArray<number>> => {
  const answered = await call(path, {}, key)
  expect(answered.status).toBe(200)
  return ((await answered.json()) as ReadonlyArray<{ readonly id: number }>).map(({ id }) => id)
}

/** A key that is made before anything else, so that every backup has it. */
const firstKey = async (): Promise<string> =>
  (await petstoreJson<{ readonly key: string }>("keys", "create", "--plan", "business", "--db", db))
    .key

/** The first events of a reader that resumes after this id, or from the start. */
const eventsAfter = async (
  { url, key }: Pick<Served, "url" | "key">,
  lastEventId: string,
  count: number
): Promise<string> => {
  const leaving = new AbortController()
  const headers = { "x-api-key": key, "x-stability-opt-in": "experimental" }
  const { body, status } = await fetch(`${url}/events?after=${encodeURIComponent(lastEventId)}`, {
    headers,
    signal: leaving.signal
  })
  expect(status).toBe(200)
  let text = ""
  for await (const chunk of body ?? []) {
    text += new TextDecoder().decode(chunk)
    if ((text.match(/^event: /gm) ?? []).length >= count) break
  }
  leaving.abort()
  return text
}

type Report = {
  readonly moved: ReadonlyArray<{ readonly from: string; readonly to: string }>
  readonly carried: Readonly<Record<string, number>>
  readonly notCarried: ReadonlyArray<string>
  readonly undo: ReadonlyArray<string>
  readonly webhookSecret: string
}

/** The records of the shop that a file has, without their revisions, which a restore raises. */
const shopIn = (filename: string): unknown => {
  const file = openSqlite(filename)
  const records = ["categories ORDER BY id", "pets ORDER BY id", "orders ORDER BY id"].map((rows) =>
    recordsIn(file, `SELECT *, 0 AS revision FROM ${rows}`)
  )
  file.close()
  return records
}

const countOf = (table: string, filename: string): unknown => {
  const file = openSqlite(filename, { readOnly: true })
  const count: unknown = file.values(`SELECT count(*) FROM ${table}`).get()
  file.close()
  return count
}

/** Runs a command that can write no file of more blocks of 512 bytes, as where the disk is full. */
const limitedTo = (blocks: number, ...args: ReadonlyArray<string>) =>
  spawnSync(
    "sh",
    [
      "-c",
      `trap "" XFSZ; ulimit -f ${blocks}; exec "$@"`,
      "sh",
      process.execPath,
      launcher,
      ...args
    ],
    { encoding: "utf8" }
  )

describe("a restore", { timeout: 120_000 }, () => {
  test("brings back the backup's records, and gives nothing out twice", async () => {
    const receiver = await webhookReceiver()
    const serving = ["--db", db, "--allow-private-webhooks", "--allow-http-webhooks"]
    const before = await served(...serving)
    const revoked = await petstoreJson<{ readonly id: number; readonly key: string }>(
      "keys",
      "create",
      "--plan",
      "free",
      "--db",
      db
    )
    await petstoreJson(
      "webhooks",
      "add",
      receiver.url,
      "--db",
      db,
      "--allow-http",
      "--allow-private"
    )
    const categoryId = await create(before, "/categories", { name: "Fish" })
    const kept: Array<number> = []
    for (let at = 0; at < 5; at++)
      kept.push(await create(before, "/pets", { name: `Pet ${at}`, categoryId }))
    await receiver.got(6)
    const told = await eventsAfter(before, "0", 6)
    const lastEventId = /^id: (.*)$/m.exec(told.slice(told.lastIndexOf("id: ")))?.[1] ?? ""
    expect(lastEventId).not.toBe("")

    const copy = join(dirname(db), "monday.db")
    await petstoreJson("backup", copy, "--db", db)

    const lost: Array<number> = []
    for (let at = 0; at < 4; at++)
      lost.push(await create(before, "/pets", { name: `Lost ${at}`, categoryId }))
    const lostOrder = await create(before, "/store/orders", { petId: kept[0] })
    await petstoreJson("keys", "revoke", String(revoked.id), "--db", db)
    await kill(before)

    const secret = readFileSync(`${db}.webhook-secret`)
    const report = await petstoreJson<Report>("restore", copy, "--db", db)
    expect(report.carried).toMatchObject({ ids: 3, revisions: 1, keys: 1 })
    expect(report.notCarried[0]).toMatch(/^\d+ changes of records since the backup$/)
    expect(report.webhookSecret).toBe("there")
    expect(readFileSync(`${db}.webhook-secret`).equals(secret)).toBe(true)
    expect(await petstoreJson("verify", "--db", db)).toMatchObject({ ok: true })

    const after = await served(...serving)
    expect(await ids(after, "/pets?limit=100", before.key)).toEqual(kept)
    expect(await create(after, "/pets", { name: "New", categoryId }, before.key)).toBe(
      Math.max(...lost) + 1
    )
    expect(await create(after, "/store/orders", {}, before.key)).toBe(lostOrder + 1)
    expect((await after.call("/pets", {}, revoked.key)).status).toBe(401)

    const events = await eventsAfter({ ...after, key: before.key }, lastEventId, 1)
    expect(events).toMatch(/^event: resync$/m)
    const types = () => receiver.messages.map(({ body }) => JSON.parse(body).type)
    await expect.poll(types, { timeout: 30_000 }).toContain("resync")
  })

  test("that is undone by the command that it prints is as if it had not been, and loses nothing", async () => {
    await petstoreJson("seed", "--db", db)
    const key = await firstKey()
    const copy = join(dirname(db), "copy.db")
    await petstoreJson("backup", copy, "--db", db)
    const shop = await served("--db", db)
    const id = await create(shop, "/categories", { name: "Late" }, key)
    await kill(shop)
    const { undo } = await petstoreJson<Report>("restore", copy, "--db", db)
    const restored = await served("--db", db)
    expect(await ids(restored, "/categories?limit=100", key)).not.toContain(id)
    const since = await create(restored, "/categories", { name: "Since the restore" }, key)
    await kill(restored)
    expect(undo).toEqual([expect.stringMatching(/^petstore restore \S+\.replaced-\w+ --db \S+$/)])
    const undone = await petstoreJson<Report>(...(undo[0] ?? "").split(" ").slice(1))
    const again = await served("--db", db)
    expect(await ids(again, "/categories?limit=100", key)).toContain(id)
    expect(await create(again, "/categories", { name: "Next" }, key)).toBe(since + 1)
    await kill(again)
    expect(await petstoreJson("verify", "--db", db)).toMatchObject({ ok: true })
    const aside = await served("--db", undone.moved[0]?.to ?? "")
    expect(await ids(aside, "/categories?limit=100", key)).toContain(since)
  })

  test("of a damaged store is undone by moving files, which keeps what was stored since", async () => {
    const key = await firstKey()
    const copy = join(dirname(db), "copy.db")
    await petstoreJson("backup", copy, "--db", db)
    const damaged = readFileSync(db).fill(0x55, 100, 2_048)
    writeFileSync(db, damaged)
    const { undo } = await petstoreJson<Report>("restore", copy, "--db", db)
    const restored = await served("--db", db)
    const since = await create(restored, "/categories", { name: "Since the restore" }, key)
    await kill(restored)
    for (const line of undo) execFileSync("sh", ["-ec", line])
    expect(readFileSync(db).equals(damaged)).toBe(true)
    const names = readdirSync(dirname(db)).filter((name) => /\.undone-\w+$/.test(name))
    expect(names).toHaveLength(1)
    const aside = await served("--db", join(dirname(db), names[0] ?? ""))
    expect(await ids(aside, "/categories?limit=100", key)).toContain(since)
  })

  test("is refused while a server runs, which continues, and for a damaged copy, and changes nothing", async () => {
    await petstoreJson("seed", "--db", db)
    const copy = join(dirname(db), "copy.db")
    await petstoreJson("backup", copy, "--db", db)
    const shop = await served("--db", db)
    const refused = await petstore(["restore", copy, "--db", db, "--json"])
    expect([refused.code, JSON.parse(refused.stdout).error.code]).toEqual([1, "busy"])
    await create(shop, "/categories", { name: "Cats" })
    shop.child.kill("SIGTERM")
    await shop.ended
    const bytes = readFileSync(db)
    writeFileSync(copy, readFileSync(copy).fill(0x77, 40_000, 60_000))
    const damaged = await petstore(["restore", copy, "--db", db, "--json"])
    expect([damaged.code, JSON.parse(damaged.stdout).error.code]).toEqual([1, "corrupt"])
    expect(readFileSync(db).equals(bytes)).toBe(true)
    expect(readdirSync(dirname(db)).toSorted()).toEqual(["copy.db", "shop.db"])
  })

  test("by hand over a store that was killed is caught by every command, and by restore put right", async () => {
    await petstoreJson("seed", "--db", db)
    const copy = join(dirname(db), "copy.db")
    copyFileSync(db, copy)
    const shop = await served("--db", db)
    await create(shop, "/categories", { name: "Cats" })
    await kill(shop)
    copyFileSync(copy, db)
    for (const args of [
      ["serve", "--port", "0"],
      ["keys", "list"],
      ["verify"],
      ["backup", `${db}.b`],
      ["upgrade"]
    ]) {
      const { code, stdout, stderr } = await petstore([...args, "--db", db])
      expect([args[0], code, stdout]).toEqual([args[0], 1, ""])
      expect(stderr).toMatch(/-wal does not belong to .*use petstore restore/)
    }
    const { moved } = await petstoreJson<Report>("restore", copy, "--db", db)
    expect(moved.map(({ from }) => basename(from))).toEqual([
      "shop.db",
      "shop.db-wal",
      "shop.db-shm"
    ])
    expect(await petstoreJson("verify", "--db", db)).toMatchObject({ ok: true })
  })

  test("says that the secret for webhooks is missing, and makes the store where there is none", async () => {
    await firstKey()
    await petstoreJson("webhooks", "add", "https://shop.example/hooks", "--db", db)
    const copy = join(dirname(db), "copy.db")
    await petstoreJson("backup", copy, "--db", db)
    const elsewhere = join(folder(), "shop.db")
    const { code, stdout } = await petstore(["restore", copy, "--db", elsewhere])
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`${elsewhere}.webhook-secret is missing`)
    ])
    expect(existsSync(elsewhere)).toBe(true)
    expect(await petstoreJson("restore", copy, "--db", db)).toMatchObject({
      webhookSecret: "there"
    })
  })

  test.runIf(process.platform === "linux")(
    "that can't write all of the new store fails, and leaves the old one whole",
    async () => {
      await firstKey()
      const copy = join(dirname(db), "copy.db")
      await petstoreJson("backup", copy, "--db", db)
      const file = openSqlite(db)
      const use = file.command(
        "INSERT INTO usage VALUES (?, 60000, 1, 0, 1, 0, 0, '', 0, 0, 0, NULL, NULL)"
      )
      file.exec("BEGIN")
      for (let at = 0; at < 3_000; at++) use.run(`address:198.51.${at >> 8}.${at & 255}`)
      file.exec("COMMIT")
      file.close()
      const before = readFileSync(db)
      expect([statSync(copy).size, statSync(db).size]).toEqual([131_072, 268_288])
      for (const blocks of [352, 400, 480]) {
        const { status, stdout } = limitedTo(blocks, "restore", copy, "--db", db, "--json")
        expect([status, stdout]).toEqual([1, expect.stringContaining("SQLITE_IOERR_WRITE")])
        expect(readFileSync(db).equals(before)).toBe(true)
        expect(readdirSync(dirname(db)).toSorted()).toEqual(["copy.db", "shop.db"])
      }
      expect(limitedTo(600, "restore", copy, "--db", db, "--json").status).toBe(0)
      expect(countOf("usage", db)).toBe(3_000)
      expect(await petstoreJson("verify", "--db", db)).toMatchObject({ ok: true })
    }
  )

  test("leaves the old store or the new one, whole, whenever it is killed, and can be done again", async () => {
    await petstoreJson("seed", "--count", "5000", "--db", db)
    const key = await firstKey()
    const copy = join(dirname(db), "copy.db")
    await petstoreJson("backup", copy, "--db", db)
    const shop = await served("--db", db)
    const categoryId = await create(shop, "/categories", { name: "Late" }, key)
    await kill(shop)
    let greatest = categoryId
    const replacing = shopIn(copy)
    const rounds = LONG ? 60 : 8
    for (let round = 0; round < rounds; round++) {
      const before = shopIn(db)
      expect(before).not.toEqual(replacing)
      const { child, ended } = start(["restore", copy, "--db", db])
      await new Promise((resolve) => setTimeout(resolve, 150 + (round / rounds) * 1_200))
      child.kill("SIGKILL")
      await ended
      const looked = await petstore(["verify", "--db", db, "--json"])
      if (looked.code !== 0) {
        const [, second] =
          /has 2 names \(hard links: (\S+\.replaced-\w+)\)/.exec(looked.stderr) ?? []
        rmSync(second ?? looked.stderr)
        expect(await petstoreJson("verify", "--db", db)).toMatchObject({ ok: true })
        expect(shopIn(db)).toEqual(before)
      }
      expect([before, replacing]).toContainEqual(shopIn(db))
      await petstoreJson("restore", copy, "--db", db)
      expect(await petstoreJson("verify", "--db", db)).toMatchObject({ ok: true })
      expect(shopIn(db)).toEqual(replacing)
      expect(readdirSync(dirname(db)).filter((name) => name.includes(".new-"))).toEqual([])
      const again = await served("--db", db)
      const id = await create(again, "/categories", { name: "Next" }, key)
      expect(id).toBeGreaterThan(greatest)
      greatest = id
      await kill(again)
    }
  })
})
