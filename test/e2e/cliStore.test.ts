import { execFile } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, served, start } from "./petstore.js"

const folder = folders()
afterEach(killAll)

const stop = async ({ child, ended }: ReturnType<typeof start>) => {
  child.kill("SIGTERM")
  expect((await ended).code).toBe(0)
}

const totalOf = async (answer: Promise<Response>): Promise<number> =>
  Number((await answer).headers.get("x-total-count"))

const shell = (line: string) => promisify(execFile)("sh", ["-c", line])

const curlLines = (stdout: string): ReadonlyArray<string> =>
  stdout.split("\n").filter((line) => line.startsWith("curl"))

describe("petstore serve --db", { timeout: 30_000 }, () => {
  test("makes the file and a pro key at the first start; at the next one all is kept and no key is printed", async () => {
    const db = join(folder(), "shop.db")
    const first = await served("--db", db)
    expect((await first.call("/pets")).headers.get("x-ratelimit-limit")).toBe("300")
    expect(await (await first.call("/pets")).json()).toEqual([])
    for (const line of curlLines(first.output.stdout)) await shell(`${line} -sS --fail-with-body`)
    expect(statSync(db).mode & 0o777).toBe(0o600)
    await stop(first)

    const second = await served("--db", db)
    expect(second.key).toBe("")
    expect(second.output.stdout).toContain(`petstore keys create --plan pro --db ${db}`)
    const pets = await second.call("/pets", {}, first.key)
    expect(await pets.json()).toEqual([{ id: 1, name: "Fido", categoryId: 1, status: "pending" }])
    await stop(second)
  })

  test("leaves the first key for the next start when the port turns out to be taken", async () => {
    const db = join(folder(), "shop.db")
    const other = await served("--memory")
    const { code } = await petstore(["serve", "--db", db, "--port", new URL(other.url).port])
    expect(code).toBe(1)
    expect((await served("--db", db)).key).not.toBe("")
  })

  test("--demo fills a new file; at the next start the shop is kept, and both the new and the old key work", async () => {
    const db = join(folder(), "shop.db")
    const first = await served("--demo", "--db", db)
    expect(await totalOf(first.call("/pets?total=true"))).toBe(200)
    await first.call("/pets", { method: "POST", body: '{"name":"Fido","categoryId":1}' })
    await stop(first)

    const second = await served("--demo", "--db", db)
    expect(second.output.stdout).not.toContain("Demo shop:")
    for (const line of curlLines(second.output.stdout)) {
      const { stdout } = await shell(`${line} -sS --fail-with-body`)
      expect(JSON.parse(stdout.split("\r\n\r\n").at(-1) ?? "")).not.toEqual([])
    }
    expect(second.key).not.toBe(first.key)
    for (const key of [first.key, second.key]) {
      expect(await totalOf(second.call("/pets?total=true", {}, key))).toBe(201)
    }
    const { accounts } = await petstoreJson<{ accounts: ReadonlyArray<object> }>(
      "accounts",
      "list",
      "--db",
      db
    )
    expect(accounts).toMatchObject([{ name: "Demo", plan: "enterprise" }])
  })

  test("--demo makes petstore.db in the current folder unless --db names another file", async () => {
    const cwd = folder()
    const { child, ended, output } = start(["serve", "--demo", "--port", "0"], {}, cwd)
    while (!output.stdout.includes("Ctrl-C"))
      await new Promise((resolve) => child.stdout?.once("data", resolve))
    await stop({ child, ended, output })
    expect(readdirSync(cwd)).toEqual(["petstore.db"])
  })

  test("two that start on one new file at once fill it once", async () => {
    const db = join(folder(), "shop.db")
    const [one, other] = await Promise.all([
      served("--demo", "--db", db),
      served("--demo", "--db", db)
    ])
    expect(await totalOf(one.call("/pets?total=true"))).toBe(200)
    expect(await totalOf(other.call("/pets?total=true"))).toBe(200)
  })

  test("two servers and the commands work on one file at once, and each sees the others' writes", async () => {
    const db = join(folder(), "shop.db")
    const one = await served("--demo", "--db", db)
    const other = await served("--db", db)
    const key = async () => {
      const made = await petstoreJson<{ key: string }>(
        "keys",
        "create",
        "--plan",
        "business",
        "--db",
        db
      )
      const answers = await Promise.all(
        [one, other].map(({ call }) => call("/pets?limit=1", {}, made.key))
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    }
    const writes = [one, other].map(async ({ call }) => {
      for (let at = 0; at < 100; at++) {
        const made = await call(
          "/pets",
          { method: "POST", body: '{"name":"Rex","categoryId":1}' },
          one.key
        )
        expect(made.status).toBe(201)
      }
    })
    await Promise.all([...writes, key(), key()])
    for (const { call } of [one, other])
      expect(await totalOf(call("/pets?total=true", {}, one.key))).toBe(400)
    expect(await petstoreJson("verify", "--db", db)).toMatchObject({ ok: true, findings: [] })
  })
})

const TEXT =
  "this is not a database, it is a text that is longer than the header of one would be, twice over."

const READ_ONLY = "a file that may not be written"

/** Files that are no whole store of this version, and what is said of each. */
const WRONG: Readonly<Record<string, readonly [make: (path: string) => void, says: RegExp]>> = {
  "a text": [(path) => writeFileSync(path, TEXT), /is not a SQLite file/],
  "an empty file": [(path) => writeFileSync(path, ""), /is empty/],
  "a folder": [(path) => mkdirSync(path), /is a folder/],
  "a file that was cut off": [
    (path) => {
      copyFileSync(`${path}.whole`, path)
      truncateSync(path, 8_192)
    },
    /is truncated/
  ],
  "a file of another application": [
    (path) => {
      const bytes = readFileSync(`${path}.whole`)
      bytes.writeUInt32BE(0x12345678, 68)
      writeFileSync(path, bytes)
    },
    /belongs to another application/
  ],
  "a file of a newer version": [
    (path) => {
      const bytes = readFileSync(`${path}.whole`)
      bytes.writeUInt32BE(999, 60)
      writeFileSync(path, bytes)
    },
    /was written by a newer version/
  ],
  [READ_ONLY]: [
    (path) => {
      copyFileSync(`${path}.whole`, path)
      chmodSync(path, 0o400)
    },
    /is read-only/
  ]
}

describe("a file that can't be opened", { timeout: 60_000 }, () => {
  test("is named in one line, ends a command with 1 and stays as it is", async () => {
    const within = folder()
    const whole = join(within, "whole.db")
    await petstoreJson("seed", "--db", whole)
    for (const [what, [make, says]] of Object.entries(WRONG)) {
      const db = join(within, `${what}.db`)
      copyFileSync(whole, `${db}.whole`)
      make(db)
      const before = statSync(db).isDirectory() ? "" : readFileSync(db, "hex")
      const commands = [
        ["serve", "--port", "0"],
        what === "a text" || what === READ_ONLY ? ["keys", "create", "--plan", "pro"] : ["verify"]
      ]
      const ended = await Promise.all(commands.map((command) => petstore([...command, "--db", db])))
      for (const { code, stdout, stderr } of ended) {
        expect([what, code, stdout]).toEqual([what, 1, ""])
        expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
        expect(stderr).toContain(db)
        expect(stderr).toMatch(says)
      }
      expect(statSync(db).isDirectory() ? "" : readFileSync(db, "hex")).toBe(before)
      expect(existsSync(`${db}-wal`)).toBe(false)
    }
    const nowhere = await petstore(["serve", "--port", "0", "--db", join(within, "no", "shop.db")])
    expect([nowhere.code, nowhere.stdout]).toEqual([1, ""])
    expect(nowhere.stderr).toMatch(/^petstore: the folder of [^\n]+ does not exist\n$/)
  })

  test("for writing is looked through and backed up all the same", async () => {
    const within = folder()
    const db = join(within, "whole.db")
    await petstoreJson("seed", "--db", db)
    chmodSync(db, 0o400)
    const copy = join(within, "copy.db")
    expect(await petstoreJson("verify", "--db", db)).toMatchObject({ ok: true, findings: [] })
    expect(await petstoreJson("backup", copy, "--db", db)).toMatchObject({ copy, verified: true })
    expect(readdirSync(within).sort()).toEqual(["copy.db", "whole.db"])
  })

  test("is not made by commands that need one that is there", async () => {
    const db = join(folder(), "none.db")
    const needing = [
      ["keys", "list"],
      ["keys", "revoke", "1"],
      ["keys", "create", "--account", "1"],
      ["keys", "create", "--plan", "gold"],
      ["accounts", "show", "1"],
      ["accounts", "create", "--plan", "enterprise"],
      ["verify"],
      ["backup", `${db}.copy`]
    ]
    for (const { code, stdout, stderr } of await Promise.all(
      needing.map((command) => petstore([...command, "--db", db]))
    )) {
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
    }
    expect(existsSync(db)).toBe(false)
  })
})
