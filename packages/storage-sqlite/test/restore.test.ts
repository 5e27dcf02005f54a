import { type ChildProcess, spawn } from "node:child_process"
import {
  chmodSync,
  closeSync,
  copyFileSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { openSqlite, recordsIn } from "../../../test/e2e/openSqlite.js"
import { Effect } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Collection, COLLECTIONS, type Row } from "@petstore/core/storage"
import { sqlName } from "../src/base/names.js"
import type { Connection } from "../src/driver/Driver.js"
import { backup, restore, type Restored, verify } from "../src/index.js"
import { SCHEMA_VERSION } from "../src/migrations/migrate.js"
import { carryOver } from "../src/shop/carryOver.js"
import { aFile, aFolder, openStore } from "./aFile.js"
import { PREVIOUS_SCHEMA, toPreviousSchema } from "./olderStore.js"

const COMPANIONS = ["-wal", "-shm"]

const backedUp = async (filename: string): Promise<string> => {
  const destination = join(aFolder(), "backup.db")
  await Effect.runPromise(backup({ filename, destination }))
  return destination
}

const restored = (copy: string, filename: string): Promise<Restored> =>
  Effect.runPromise(restore({ backup: copy, filename }))

const refusalOf = (copy: string, filename: string) =>
  Effect.runPromise(Effect.flip(restore({ backup: copy, filename })))

const isWhole = async (filename: string) =>
  expect(await Effect.runPromise(verify({ filename }))).toEqual([])

/**
 * A shop with a pet of each kind of history, its backup, and a future that the restore takes back.
 */
const aShopWithABackup = async () => {
  const filename = aFile()
  const store = await openStore({ filename })
  const { categories, pets, orders, inventory, accounts, keys } = store.direct
  const { id: categoryId } = categories.create({ name: "Fish" })
  for (const name of ["Goldie", "Nemo", "Dory"]) pets.create({ name, categoryId })
  inventory.set(1, { quantity: 10 })
  orders.place({ petId: 1, quantity: 2 })
  const account = accounts.create({ plan: "pro" })
  const [kept, revoked] = [keys.create(account.id), keys.create(account.id)]
  const copy = await backedUp(filename)
  pets.update(1, { name: "Goldie II" })
  pets.update(1, { name: "Goldie III" })
  pets.update(2, { name: "Nemo II" })
  pets.remove(2)
  const lostPet = pets.create({ name: "Lost", categoryId })
  const lostOrder = orders.place({ petId: 3 })
  const lostAccount = accounts.create({ plan: "free" })
  const lostKey = keys.create(lostAccount.id)
  keys.revoke(revoked.id)
  return { filename, store, copy, account, kept, revoked, lostPet, lostOrder, lostAccount, lostKey }
}

describe("a store that a backup replaces", () => {
  test("is kept beside it under a dated name, whole, and the name has the records of the backup", async () => {
    const { filename, store, copy } = await aShopWithABackup()
    await store.close()
    const { moved, file, schema } = await restored(copy, filename)
    const [{ from, to } = { from: "", to: "" }] = moved
    expect([file, schema, from, moved.length]).toEqual([filename, SCHEMA_VERSION, filename, 1])
    expect(to).toMatch(/pets\.db\.replaced-\d{8}T\d{6}Z$/)
    expect(readdirSync(dirname(filename)).toSorted()).toEqual([basename(filename), basename(to)])
    await isWhole(filename)
    await isWhole(to)
    const after = await openStore({ filename })
    expect(after.direct.pets.list().items.map(({ name }) => name)).toEqual([
      "Goldie",
      "Nemo",
      "Dory"
    ])
    const before = await openStore({ filename: to })
    expect(before.direct.pets.list().items.map(({ name }) => name)).toEqual([
      "Goldie III",
      "Dory",
      "Lost"
    ])
  })

  test("has given ids and revisions that are not given again", async () => {
    const { filename, store, copy, lostPet, lostOrder, lostAccount, lostKey } =
      await aShopWithABackup()
    await store.close()
    const { carried } = await restored(copy, filename)
    const after = await openStore({ filename })
    const { pets, orders, accounts, keys, categories } = after.direct
    expect(pets.create({ name: "New", categoryId: 1 }).id).toBe(lostPet.id + 1)
    expect(orders.place({}).id).toBe(lostOrder.id + 1)
    const account = accounts.create({ plan: "free" })
    expect(account.id).toBe(lostAccount.id + 1)
    expect(keys.create(account.id).id).toBe(lostKey.id + 1)
    expect(categories.create({ name: "Cats" }).id).toBe(2)
    const revision = (id: number) => {
      const file = openSqlite(filename, { readOnly: true })
      const found: unknown = file.values("SELECT revision FROM pets WHERE id = ?").get(id)
      file.close()
      return found
    }
    expect([revision(1), revision(2), revision(3)]).toEqual([4, 3, 3])
    expect(carried).toMatchObject({ ids: 4, revisions: 3 })
    await after.close()
    await isWhole(filename)
  })

  test("has revoked keys that stay revoked, and keys that were made since are told", async () => {
    const { filename, store, copy, account, kept, revoked, lostKey, lostAccount } =
      await aShopWithABackup()
    await store.close()
    const { carried, notCarried } = await restored(copy, filename)
    expect(carried.keys).toBe(1)
    expect(notCarried).toEqual([
      "7 changes of records since the backup",
      `1 account that the backup does not have: ${lostAccount.id}`,
      `1 key that the backup does not have, which are refused: ${lostKey.id}`
    ])
    const after = await openStore({ filename })
    const states = after.direct.keys
      .list({ accountId: account.id })
      .items.map(({ id, revokedAt }) => [id, revokedAt !== undefined])
    expect(states).toEqual([
      [kept.id, false],
      [revoked.id, true]
    ])
  })

  test("has counts and bans that stay, of accounts that are in the backup and of addresses", async () => {
    const { filename, store, copy, account, lostAccount } = await aShopWithABackup()
    await store.close()
    const rows = (path: string) => {
      const file = openSqlite(path)
      const found = recordsIn(
        file,
        "SELECT caller, minute_used, banned_until_ms, other_minutes FROM usage"
      )
      file.close()
      return found
    }
    const use = (path: string, caller: string, used: number, ledger: string | null) => {
      const file = openSqlite(path)
      file
        .command("INSERT INTO usage VALUES (?, 60000, ?, 0, ?, 0, 0, '', 999, 1, 5, ?, NULL)")
        .run(caller, used, used, ledger)
      file.close()
    }
    use(copy, `account:${account.id}`, 1, null)
    use(copy, "address:192.0.2.7", 1, null)
    use(filename, `account:${account.id}`, 59, "7:3")
    use(filename, `account:${lostAccount.id}`, 7, null)
    use(filename, "address:192.0.2.9", 8, null)
    expect((await restored(copy, filename)).carried.callers).toBe(2)
    expect(rows(filename)).toEqual([
      {
        caller: `account:${account.id}`,
        minute_used: 59,
        banned_until_ms: 999,
        other_minutes: "7:3"
      },
      { caller: "address:192.0.2.9", minute_used: 8, banned_until_ms: 999, other_minutes: null }
    ])
    await isWhole(filename)
  })

  test("has webhooks that stay removed, disabled and rotated, and what else was changed is told", async () => {
    const filename = aFile()
    const store = await openStore({ filename })
    const { webhooks, accounts } = store.direct
    const [same, removed, disabled, rotated, moved, enabled] = Array.from({ length: 6 }, (_, at) =>
      webhooks.create({ url: `https://shop.example/${at}` })
    ).map(({ id }) => id) as [number, number, number, number, number, number]
    webhooks.disable(enabled)
    const [pro, agreed] = [accounts.create({ plan: "pro" }), accounts.create({ plan: "free" })]
    const copy = await backedUp(filename)
    webhooks.remove(removed)
    webhooks.disable(disabled)
    webhooks.rotate(rotated, { overlapMs: 0 })
    webhooks.update(moved, { url: "https://other.example", types: ["order.placed"] })
    webhooks.enable(enabled)
    const made = webhooks.create({ url: "https://shop.example/made" }).id
    accounts.setPlan(pro.id, { plan: "free" })
    accounts.setPlan(agreed.id, { plan: "enterprise", perMinute: 7, perDay: 70 })
    const secretsOf = (path: string) => {
      const file = openSqlite(path, { readOnly: true })
      const found = recordsIn(file, "SELECT id, salt, generation, mark FROM webhooks ORDER BY id")
      file.close()
      return found
    }
    await store.close()
    const rotatedSecret = secretsOf(filename).find(
      (row) => (row as { readonly id: number }).id === rotated
    )
    const { carried, notCarried } = await restored(copy, filename)
    expect(carried.webhooks).toBe(3)
    expect(notCarried).toEqual([
      `2 accounts changed since the backup, restored with the old plan: ${pro.id} is pro and was free, ${agreed.id} is free and was enterprise (7 a minute, 70 a day)`,
      `1 webhook that the backup does not have: ${made}`,
      `1 webhook removed since the backup, restored as disabled: ${removed}`,
      `2 webhooks changed since the backup, restored without the changes: ${moved} (URL, types), ${enabled} (not enabled)`
    ])
    await isWhole(filename)
    expect(secretsOf(filename)).toContainEqual(rotatedSecret)
    const after = await openStore({ filename })
    expect(after.direct.webhooks.list().items.map(({ id, state }) => [id, state])).toEqual([
      [same, "enabled"],
      [removed, "disabled"],
      [disabled, "disabled"],
      [rotated, "enabled"],
      [moved, "enabled"],
      [enabled, "disabled"]
    ])
  })

  test("has a feed of its own: a place in the replaced one means nothing in it", async () => {
    const { filename, store, copy } = await aShopWithABackup()
    const [after, epoch] = [await store.changes.last(), await store.changes.epoch()]
    await store.close()
    await restored(copy, filename)
    const reopened = await openStore({ filename })
    expect(await reopened.changes.epoch()).not.toBe(epoch)
    for await (const change of reopened.changes({ after, epoch })) {
      expect(change.type).toBe("resync")
      break
    }
    reopened.direct.categories.create({ name: "Cats" })
    const page = await reopened.changes.page({ after: 0 })
    expect(Array.isArray(page) && page.map(({ sequence }) => sequence)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8
    ])
  })

  test("may have been killed: what its log has is in the file that is kept", async () => {
    const { filename, copy } = await aShopWithABackup()
    const killed = aFile()
    for (const suffix of ["", ...COMPANIONS]) copyFileSync(filename + suffix, killed + suffix)
    const { moved } = await restored(copy, killed)
    expect(moved.map(({ from }) => from)).toEqual([killed])
    const before = await openStore({ filename: moved[0]?.to ?? "" })
    expect(before.direct.pets.get(4).name).toBe("Lost")
    await isWhole(killed)
  })

  test("keeps its owner, its mode, and the link that leads to it", async () => {
    const { filename, store, copy } = await aShopWithABackup()
    await store.close()
    chmodSync(filename, 0o640)
    const link = join(aFolder(), "link.db")
    symlinkSync(filename, link)
    expect((await restored(copy, link)).file).toBe(filename)
    expect(statSync(filename).mode & 0o777).toBe(0o640)
    expect(readdirSync(dirname(link))).toEqual(["link.db"])
  })

  test("can be restored itself, and restored again", async () => {
    const { filename, store, copy } = await aShopWithABackup()
    await store.close()
    const { moved } = await restored(copy, filename)
    const back = await restored(moved[0]?.to ?? "", filename)
    expect(back.notCarried).toEqual([])
    const after = await openStore({ filename })
    expect(after.direct.pets.get(4).name).toBe("Lost")
    await after.close()
    await restored(copy, filename)
    await isWhole(filename)
  })

  test("comes back whole when it is restored: what was made in it, and what was revoked since", async () => {
    const { filename, store, copy, lostAccount, lostKey, lostPet, kept } = await aShopWithABackup()
    const lostWebhook = store.direct.webhooks.create({ url: "https://shop.example/hooks" }).id
    await store.close()
    const ban = openSqlite(filename)
    ban
      .command("INSERT INTO usage VALUES (?, 60000, 7, 0, 7, 0, 0, '', 999, 1, 5, NULL, NULL)")
      .run(`account:${lostAccount.id}`)
    ban.close()
    const { moved, canGoBack } = await restored(copy, filename)
    expect(canGoBack).toBe(true)
    const between = await openStore({ filename })
    const newPet = between.direct.pets.create({ name: "Between", categoryId: 1 }).id
    between.direct.keys.revoke(kept.id)
    const newWebhook = between.direct.webhooks.create({ url: "https://shop.example/new" }).id
    await between.close()
    const back = await restored(moved[0]?.to ?? "", filename)
    expect(back.notCarried).toEqual([
      "1 change of records since the backup",
      `1 webhook that the backup does not have: ${newWebhook}`
    ])
    const after = await openStore({ filename })
    const { pets, keys, webhooks } = after.direct
    expect(pets.list().items.map(({ name }) => name)).toEqual(["Goldie III", "Dory", "Lost"])
    expect(pets.get(lostPet.id).name).toBe("Lost")
    expect(pets.create({ name: "Next", categoryId: 1 }).id).toBe(newPet + 1)
    expect(keys.get(lostKey.id).revokedAt).toBeUndefined()
    expect(keys.get(kept.id).revokedAt).toBeDefined()
    expect(webhooks.list().items.map(({ id, state }) => [id, state])).toEqual([
      [lostWebhook, "enabled"]
    ])
    await after.close()
    const file = openSqlite(filename, { readOnly: true })
    expect(recordsIn(file, "SELECT caller, banned_until_ms FROM usage")).toEqual([
      { caller: `account:${lostAccount.id}`, banned_until_ms: 999 }
    ])
    file.close()
    await isWhole(filename)
  })

  test("is left alone while this process has it open, and its bytes too", async () => {
    const { filename, store, copy } = await aShopWithABackup()
    const failure = await refusalOf(copy, filename)
    expect([failure.reason, failure.detail]).toEqual([
      "Busy",
      expect.stringContaining("stop its servers first")
    ])
    expect(store.direct.pets.get(4).name).toBe("Lost")
    expect(readdirSync(dirname(filename)).filter((name) => name.includes("replaced"))).toEqual([])
  })

  test("is left alone while another connection has it open", async () => {
    const { filename, store, copy } = await aShopWithABackup()
    await store.close()
    const other = openSqlite(filename)
    other.pragma("user_version")
    expect((await refusalOf(copy, filename)).reason).toBe("Busy")
    other.close()
    await restored(copy, filename)
  })
})

describe("where there is no store that can be read", () => {
  test("a backup is restored under the name, with what is left of another file moved aside", async () => {
    const { copy } = await aShopWithABackup()
    const filename = aFile()
    writeFileSync(`${filename}-wal`, "left over")
    const { moved, notCarried } = await restored(copy, filename)
    expect(moved).toEqual([
      { from: `${filename}-wal`, to: expect.stringMatching(/pets\.db\.replaced-\w+-wal$/) }
    ])
    expect(notCarried).toEqual([])
    expect(statSync(filename).mode & 0o777).toBe(0o600)
    await isWhole(filename)
  })

  test("because it is damaged, it is moved aside, and what can't be taken over is told", async () => {
    const { filename, store, copy } = await aShopWithABackup()
    await store.close()
    const bytes = readFileSync(filename)
    bytes.fill(0x55, 100, 2_048)
    writeFileSync(filename, bytes)
    const { moved, carried, notCarried } = await restored(copy, filename)
    expect(carried).toEqual({ ids: 0, revisions: 0, keys: 0, webhooks: 0, callers: 0 })
    expect(notCarried.join()).toMatch(
      /can't be read: .* may be assigned again, .* petstore keys list/
    )
    expect(readFileSync(moved[0]?.to ?? "").equals(bytes)).toBe(true)
    await isWhole(filename)
  })

  test.runIf(process.platform === "linux")(
    "because it is damaged, it is left alone if a process opens it while the copy is made",
    async () => {
      const { filename, store, copy } = await aShopWithABackup()
      await store.close()
      const bytes = readFileSync(filename).fill(0x55, 100, 2_048)
      writeFileSync(filename, bytes)
      let reader: ChildProcess | undefined
      onTestFinished(() => void reader?.kill())
      const onCheck = () => {
        if (reader !== undefined) return
        const descriptor = openSync(filename, "r")
        reader = spawn("sleep", ["60"], { stdio: [descriptor, "ignore", "ignore"] })
        closeSync(descriptor)
      }
      const failure = await Effect.runPromise(
        Effect.flip(restore({ backup: copy, filename, onCheck }))
      )
      expect(failure.reason).toBe("Busy")
      expect(readFileSync(filename).equals(bytes)).toBe(true)
      expect(readdirSync(dirname(filename))).toEqual([basename(filename)])
    }
  )

  test("because it is damaged in parts, the other parts are taken over", async () => {
    const { filename, store, copy, lostPet } = await aShopWithABackup()
    await store.close()
    const file = openSqlite(filename)
    const root = Number(file.values("SELECT rootpage FROM sqlite_schema WHERE name = 'keys'").get())
    file.close()
    const bytes = readFileSync(filename)
    bytes.fill(0x55, (root - 1) * 2_048, root * 2_048)
    writeFileSync(filename, bytes)
    const { carried, notCarried } = await restored(copy, filename)
    expect(notCarried.join("\n")).toMatch(
      /revocations of keys \(check petstore keys list\): .*malformed/
    )
    expect(carried.keys).toBe(0)
    await isWhole(filename)
    const after = await openStore({ filename })
    expect(after.direct.pets.create({ name: "New", categoryId: 1 }).id).toBeGreaterThan(lostPet.id)
  })

  test("because its log is that of another file, that is moved aside, and the file alone is read", async () => {
    const { filename, copy } = await aShopWithABackup()
    const killed = aFile()
    for (const suffix of COMPANIONS) copyFileSync(filename + suffix, killed + suffix)
    copyFileSync(copy, killed)
    const { moved, carried, notCarried, canGoBack } = await restored(copy, killed)
    expect(notCarried[0]).toMatch(/^anything in .*pets\.db-wal, which is the log of another file/)
    expect(canGoBack).toBe(false)
    expect(moved.map(({ from }) => from.slice(killed.length))).toEqual(["", "-wal", "-shm"])
    expect(carried.ids).toBe(0)
    await isWhole(killed)
  })

  test.each([0, PREVIOUS_SCHEMA, SCHEMA_VERSION + 2, 999])(
    "although its user_version was set to %i, it is read by its tables",
    async (version) => {
      const { filename, store, copy, account, revoked } = await aShopWithABackup()
      await store.close()
      const file = openSqlite(filename)
      file.pragma(`user_version = ${version}`)
      file.close()
      const { carried, notCarried, canGoBack } = await restored(copy, filename)
      expect(carried).toMatchObject({ ids: 4, keys: 1 })
      expect(notCarried[0]).toContain(
        `the file declares schema ${version & 0xff}, but has the tables of schema ${SCHEMA_VERSION}`
      )
      expect(canGoBack).toBe(false)
      await isWhole(filename)
      const after = await openStore({ filename })
      const found = after.direct.keys
        .list({ accountId: account.id })
        .items.find(({ id }) => id === revoked.id)
      expect(found?.revokedAt).toBeDefined()
    }
  )

  test("because it is empty, it is moved aside", async () => {
    const { copy } = await aShopWithABackup()
    const filename = aFile()
    writeFileSync(filename, "")
    expect((await restored(copy, filename)).moved).toHaveLength(1)
    await isWhole(filename)
  })
})

describe("nothing is changed", () => {
  const contents = (filename: string) =>
    readdirSync(dirname(filename))
      .toSorted()
      .map((name) => [name, readFileSync(join(dirname(filename), name), "base64")])

  test.each([
    [
      "a copy that is damaged",
      (copy: string) => {
        const file = openSqlite(copy)
        file.exec("UPDATE inventory SET on_order = 7")
        file.close()
      }
    ],
    [
      "a copy that was cut off",
      (copy: string) => writeFileSync(copy, readFileSync(copy).subarray(0, 20_000))
    ],
    ["a copy that is no store", (copy: string) => writeFileSync(copy, "no store".repeat(1_000))],
    ["a copy that does not exist", (copy: string) => rmSync(copy)]
  ])("by %s", async (_what, damage) => {
    const { filename, store, copy } = await aShopWithABackup()
    await store.close()
    damage(copy)
    const before = contents(filename)
    expect(["Corrupt", "Unavailable"]).toContain((await refusalOf(copy, filename)).reason)
    expect(contents(filename)).toEqual(before)
  })

  test("where the name is that of something that is no store, of another application, or of the copy", async () => {
    const { copy } = await aShopWithABackup()
    const [list, other, folder] = [aFile(), aFile(), aFolder()]
    writeFileSync(list, "name,price\n".repeat(100))
    const file = openSqlite(other)
    file.exec("CREATE TABLE t (a)")
    file.close()
    const linked = `${copy}.link`
    linkSync(copy, linked)
    for (const [name, says] of [
      [list, /is no SQLite file; if it was a store, move it out of the way/],
      [other, /belongs to another application/],
      [folder, /is no file/],
      [copy, /itself/],
      [linked, /itself/],
      [":memory:", /names no file/]
    ] as const) {
      expect((await refusalOf(copy, name)).detail).toMatch(says)
    }
    expect(readdirSync(dirname(list))).toEqual([basename(list)])
  })
})

describe("of two schemas", () => {
  const LAST_ID = 1_000

  const hasIds = ({ key, name }: Collection<Row>) => key === "assigned" && name !== "changes"
  const tables = COLLECTIONS.filter(hasIds).map(({ name }) => sqlName(name))

  const noteLastIds = (file: Connection) => {
    for (const table of tables)
      file.exec(`INSERT OR REPLACE INTO last_ids VALUES ('${table}', ${LAST_ID})`)
  }

  const lastIdsIn = (file: Connection) =>
    Object.fromEntries(
      file
        .rows<readonly [string, number]>("SELECT name, id FROM last_ids WHERE name <> 'changes'")
        .all()
    )

  const everyTable = Object.fromEntries(tables.map((table) => [table, LAST_ID]))

  const changed = <A>(filename: string, change: (file: Connection) => A): A => {
    const file = openSqlite(filename)
    const result = change(file)
    file.close()
    return result
  }

  test("a backup of the earlier one keeps it, and the next ids come after those that were given", async () => {
    const { filename, store, copy } = await aShopWithABackup()
    await store.close()
    changed(copy, toPreviousSchema)
    changed(filename, noteLastIds)
    const { schema, carried, notCarried } = await restored(copy, filename)
    expect([schema, carried.ids, carried.keys]).toEqual([PREVIOUS_SCHEMA, tables.length, 1])
    expect(notCarried.join()).not.toContain("no such table")
    await (await openStore({ filename, upgrade: true })).close()
    expect(changed(filename, lastIdsIn)).toEqual(everyTable)
    const after = await openStore({ filename })
    expect(after.direct.pets.create({ name: "New", categoryId: 1 }).id).toBe(LAST_ID + 1)
    await after.close()
    await isWhole(filename)
  })

  test("a backup of the later one is restored over the earlier one, and ids go on after both", async () => {
    const { filename, store, copy, lostPet } = await aShopWithABackup()
    await store.close()
    changed(filename, toPreviousSchema)
    const { schema, notCarried, canGoBack } = await restored(copy, filename)
    expect([schema, canGoBack]).toEqual([SCHEMA_VERSION, true])
    expect(notCarried.join()).not.toContain("no such table")
    const after = await openStore({ filename })
    expect(after.direct.pets.create({ name: "New", categoryId: 1 }).id).toBe(lostPet.id + 1)
    await after.close()
    await isWhole(filename)
  })

  test.each(["main", "restored"])(
    "ids are carried over also where %s does not have the table, and no revision is",
    async (without) => {
      const [replaced, copy] = [aFile(), aFile()]
      for (const filename of [replaced, copy]) await (await openStore({ filename })).close()
      changed(replaced, (file) => {
        noteLastIds(file)
        file.exec(`ATTACH '${copy}' AS restored; DROP TABLE ${without}.categories`)
        const schemas = { replaced: SCHEMA_VERSION, restored: SCHEMA_VERSION }
        const { carried, notCarried, isComplete } = carryOver(file, schemas)
        expect([carried.ids, carried.revisions, notCarried]).toEqual([tables.length, 0, []])
        expect(isComplete).toBe(true)
      })
      expect(changed(copy, lastIdsIn)).toEqual(everyTable)
    }
  )
})
