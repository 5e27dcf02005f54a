import { readFileSync } from "node:fs"
import { StorageError } from "@petstore/core"
import { RECORD_GROUPS, type RecordGroups } from "@petstore/core/adapter"
import type { StoreContents, StoreStatus, WebhookBehind } from "@petstore/storage-sqlite"
import { describe, expect, test } from "vitest"
import { ATTENTION_CODES, messageOf } from "../../src/status/Attention.js"
import { attentionOf } from "../../src/status/attentionOf.js"
import { statusJson } from "../../src/status/statusJson.js"
import { statusText } from "../../src/status/statusText.js"

const DAY_MS = 86_400_000
const MIB = 2 ** 20

const NOW_MS = Date.UTC(2030, 0, 31, 12)

const NO_RECORDS = Object.fromEntries(RECORD_GROUPS.map((group) => [group, 0])) as Readonly<
  Record<keyof RecordGroups, number>
>

const CONTENTS: StoreContents = {
  schema: 5,
  sqliteVersion: "3.53.2",
  about: {
    createdMs: NOW_MS - DAY_MS,
    upgradedMs: undefined,
    restoredMs: undefined,
    lastBackupMs: undefined
  },
  damage: undefined,
  isChecked: true,
  counts: {
    ...NO_RECORDS,
    pets: 1_000_000,
    categories: 12,
    orders: 314_616,
    inventory: 310_000,
    changes: 100_155,
    accounts: 1,
    keys: 1,
    webhooks: 0
  },
  webhooksBehind: [],
  expiringKeys: [],
  bannedCallers: [],
  callersNearLimit: []
}

const STATUS: StoreStatus = {
  path: "/srv/shop.db",
  fileBytes: 200 * MIB,
  logBytes: 16 * MIB,
  diskBytes: 100_000 * MIB,
  diskFreeBytes: 50_000 * MIB,
  processes: [
    { pid: 4_711, command: "node /usr/lib/node_modules/@petstore/cli/bin/petstore.js serve" }
  ],
  nowMs: NOW_MS,
  currentSchema: 5,
  driver: "better-sqlite3",
  contents: CONTENTS
}

const rules = { db: "shop.db", backupWithinMs: 7 * DAY_MS }

const found = (status: Partial<StoreStatus>, contents: Partial<StoreContents> = {}) =>
  attentionOf({ ...STATUS, contents: { ...CONTENTS, ...contents }, ...status }, rules)

const codes = (status: Partial<StoreStatus>, contents: Partial<StoreContents> = {}) =>
  found(status, contents).map(({ code }) => code)

const about = (times: Partial<StoreContents["about"]>) => ({
  about: { ...CONTENTS.about, createdMs: undefined, ...times }
})

const WEBHOOK: WebhookBehind = {
  id: 7,
  origin: "https://shop.example",
  state: "enabled",
  sinceMs: NOW_MS - DAY_MS,
  pending: 3,
  needsResync: false,
  failures: 2,
  nextMs: NOW_MS + DAY_MS
}

const EVERYTHING: Partial<StoreContents> = {
  schema: 4,
  damage: "Tree 12 page 345 cell 6: Rowid 78 out of order",
  webhooksBehind: [
    WEBHOOK,
    { ...WEBHOOK, state: "failing" },
    { ...WEBHOOK, state: "gone" },
    { ...WEBHOOK, state: "disabled" }
  ],
  bannedCallers: [{ accountId: 1, name: "Till", bannedUntilMs: NOW_MS + DAY_MS }],
  callersNearLimit: [
    { accountId: 2, name: "", window: "day", used: 900, limit: 1_000, resetMs: NOW_MS + DAY_MS / 2 }
  ],
  expiringKeys: [
    {
      id: 3,
      accountId: 2,
      name: "Stock\u001b[31m",
      start: "ps_abcd",
      expiresMs: NOW_MS + DAY_MS,
      usedMs: null
    }
  ]
}

describe("what needs attention", () => {
  test("is nothing of a store that is well", () => expect(found({})).toEqual([]))

  test.each([
    ["made, a week ago", about({ createdMs: NOW_MS - 7 * DAY_MS }), []],
    ["made, longer ago", about({ createdMs: NOW_MS - 7 * DAY_MS - 1 }), ["backup_old"]],
    [
      "backed up, longer ago",
      about({ createdMs: 0, lastBackupMs: NOW_MS - 8 * DAY_MS }),
      ["backup_old"]
    ],
    ["backed up a week ago", about({ createdMs: 0, lastBackupMs: NOW_MS - 7 * DAY_MS }), []],
    [
      "restored since",
      about({ lastBackupMs: NOW_MS - 8 * DAY_MS, restoredMs: NOW_MS - DAY_MS }),
      []
    ],
    ["upgraded, of which nothing else is known", about({ upgradedMs: NOW_MS - DAY_MS }), []],
    [
      "upgraded, backed up long ago",
      about({ upgradedMs: NOW_MS, lastBackupMs: 0 }),
      ["backup_old"]
    ],
    [
      "of an earlier schema, of whose backups nothing is known",
      { ...about({}), schema: 4 },
      ["older_version"]
    ]
  ])("a store that was %s", (_case, contents, expected) =>
    expect(codes({}, contents)).toEqual(expected)
  )

  test.each([
    ["log", { logBytes: 64 * MIB }, []],
    ["log", { logBytes: 64 * MIB + 1 }, ["log_large"]],
    ["disk", { diskFreeBytes: 512 * MIB }, []],
    ["disk", { diskFreeBytes: 512 * MIB - 1 }, ["disk_nearly_full"]],
    ["disk that the system does not tell of", { diskFreeBytes: undefined }, []]
  ])("of the %s: %o", (_case, status, expected) => expect(codes(status)).toEqual(expected))

  test("of a file that can't be read has the code of that failure, and the facts from the system", () => {
    const contents = new StorageError({
      reason: "Corrupt",
      detail: "/srv/shop.db is not a SQLite file"
    })
    const all = attentionOf({ ...STATUS, contents, diskFreeBytes: 0 }, rules)
    expect(all.map(({ code }) => code)).toEqual(["corrupt", "disk_nearly_full"])
    expect(all.map(messageOf)[0]).toMatch(
      /^\/srv\/shop\.db is not a SQLite file; .*leave it where it is.*: petstore restore BACKUP --db shop\.db$/
    )
    expect(all.map(messageOf).join()).not.toMatch(/aside|move it/)
  })

  test("of a file that is not as its schema says is to be verified", () => {
    const contents = new StorageError({ reason: "Unknown", detail: "read shop.db: SQLITE_ERROR" })
    expect(found({ contents }).map(messageOf)).toEqual([
      "read shop.db: SQLITE_ERROR; check the file: petstore verify --db shop.db"
    ])
  })

  test("is one sentence each that ends with the command to run, where there is one", () => {
    const all = found({ logBytes: 65 * MIB, diskFreeBytes: 0 }, EVERYTHING)
    expect(all.map(({ code }) => code).toSorted()).toEqual(
      [...ATTENTION_CODES].filter((code) => code !== "backup_old").toSorted()
    )
    for (const each of all) {
      const message = messageOf(each)
      expect(message).toMatch(
        each.command === undefined ? /^[A-Z].*;.*\.$/ : /^[A-Z].*: petstore .* --db shop\.db$/
      )
      expect(message).not.toContain("\u001b")
    }
  })

  test("names the file as a shell takes it", () => {
    const all = attentionOf(
      { ...STATUS, contents: { ...CONTENTS, ...about({}) } },
      { ...rules, db: "my shop.db" }
    )
    expect(all.map(messageOf)).toEqual([
      "No backup is known of; make one: petstore backup DEST --db 'my shop.db'"
    ])
  })

  test("of a webhook that no server delivers says so", () => {
    const webhooksBehind = [{ ...WEBHOOK, failures: 0, nextMs: null }]
    const [message] = found({ processes: [] }, { webhooksBehind }).map(messageOf)
    expect(message).toContain("behind since 2030-01-30 12:00 UTC: 3 changes wait; serve the store")
  })
})

describe("people", () => {
  test("get what needs attention first, in lines of 80 columns but for commands, which can be copied", () => {
    const status = { ...STATUS, contents: { ...CONTENTS, ...EVERYTHING } }
    const lines = statusText(status, attentionOf(status, rules)).split("\n")
    expect(lines[0]).toBe("NEEDS ATTENTION")
    expect(lines.filter((line) => line.length > 80 && !/^ {4}petstore /.test(line))).toEqual([])
    expect(lines).toContain("    petstore upgrade --db shop.db")
    expect(lines).toContain(
      "  4711  node /usr/lib/node_modules/@petstore/cli/bin/petstore.js serve"
    )
    expect(lines.indexOf("FILE")).toBeGreaterThan(0)
  })

  test("get the first twenty, and how many there are more", () => {
    const [key] = EVERYTHING.expiringKeys ?? []
    const expiringKeys = Array.from({ length: 1_025 }, (_, at) => ({ ...key, id: at + 1 }))
    const status = { ...STATUS, contents: { ...CONTENTS, expiringKeys } } as StoreStatus
    const text = statusText(status, attentionOf(status, rules))
    expect(text.match(/^- Key \d/gm)).toHaveLength(20)
    expect(text).toContain("… and 1,005 more; --json has all of them")
  })

  test("read of a system that does not tell of processes", () => {
    const lines = statusText({ ...STATUS, processes: undefined }, []).split("\n")
    expect(lines.slice(-2)).toEqual([
      "OPEN IN",
      "  This system does not tell which processes have a file open."
    ])
    expect(lines[0]).toBe("Nothing needs attention.")
  })
})

describe("programs", () => {
  test("get the same members of a store that is well, one that is not, and one that can't be read", () => {
    const ill = { ...STATUS, contents: { ...CONTENTS, ...EVERYTHING } }
    const contents = new StorageError({ reason: "Corrupt", detail: "it is damaged" })
    const [well, needy, unread] = [STATUS, ill, { ...STATUS, contents }].map((status) =>
      Object.keys(statusJson("shop.db", status, attentionOf(status, rules)))
    )
    expect(needy).toEqual(well)
    expect(unread).toEqual(well)
  })

  test("get null for what is not known", () => {
    const status = {
      ...STATUS,
      processes: undefined,
      contents: { ...CONTENTS, bannedCallers: undefined }
    }
    expect(statusJson("shop.db", status, [])).toMatchObject({
      processes: null,
      bannedCallers: null,
      lastBackupAt: null,
      createdAt: "2030-01-30T12:00:00Z"
    })
  })
})

test("docs/status.md explains every code, and every member of the object", () => {
  const page = readFileSync(new URL("../../../../docs/status.md", import.meta.url), "utf8")
  const explained = [...page.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name)
  const members = Object.keys(statusJson("shop.db", STATUS, []))
  expect(explained.toSorted()).toEqual([...ATTENTION_CODES, ...members].toSorted())
})
