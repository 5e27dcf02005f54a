import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Explanation, Replay } from "@petstore/core"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, served } from "./petstore.js"

const folder = folders()
afterEach(killAll)

let within = ""
beforeEach(() => {
  within = folder()
})

describe("petstore limits explain", { timeout: 30_000 }, () => {
  test("says of an account that a server refuses why it does and until when", async () => {
    const db = join(within, "shop.db")
    const shop = await served("--db", db)
    const plan = ["--plan", "enterprise", "--per-minute", "1000", "--per-day", "2"]
    const { account, key } = await petstoreJson<{ account: number; key: string }>(
      "keys",
      "create",
      ...plan,
      "--db",
      db
    )
    for (const status of [200, 200, 429])
      expect((await shop.call("/pets", {}, key)).status).toBe(status)

    const explain = ["limits", "explain", "--account", String(account), "--db", db]
    const explained = await petstoreJson<Explanation & { account: number }>(...explain)
    expect(explained).toMatchObject({
      account,
      limits: { perMinute: 1_000, perDay: 2 },
      day: { limit: 2, used: 2, remaining: 0 },
      lastRefusal: { by: "day" }
    })
    expect(explained.admittedFromMs).toBe(explained.day.resetMs)
    const { code, stdout } = await petstore(explain)
    expect(code).toBe(0)
    expect(stdout).toContain("the day's requests are used up")
  })

  test("of an account that is not there is refused", async () => {
    const db = join(within, "shop.db")
    await petstoreJson("seed", "--db", db)
    const { code, stderr } = await petstore(["limits", "explain", "--account", "1", "--db", db])
    expect([code, stderr]).toEqual([1, "petstore: there is no account 1\n"])
  })
})

const NOON_MS = Date.UTC(2026, 0, 31, 12)

describe("petstore limits replay", { timeout: 30_000 }, () => {
  test("says minute by minute what a plan would have admitted, and which lines are no requests", async () => {
    const trace = join(within, "trace.jsonl")
    const line = (atMs: number) => JSON.stringify({ at: atMs, key: "till" })
    const requests = Array.from({ length: 90 }, (_, at) => line(NOON_MS + at * 10))
    writeFileSync(trace, [...requests, line(NOON_MS + 60_000), "oops"].join("\n"))

    const { minutes, total, ...rest } = await petstoreJson<Replay>(
      "limits",
      "replay",
      trace,
      "--plan",
      "free"
    )
    expect(total).toEqual({ admitted: 61, refused: 30, banned: 0 })
    expect(minutes).toMatchObject([
      { startMs: NOON_MS, admitted: 60, refused: 30 },
      { startMs: NOON_MS + 60_000, admitted: 1, refused: 0 }
    ])
    expect(rest).toMatchObject({
      plan: "free",
      perMinute: 60,
      badLines: [{ line: 92, message: "not JSON" }]
    })

    const { code, stdout, stderr } = await petstore(["limits", "replay", trace, "--plan", "free"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/2026-01-31 12:00 .* 60 .* 30 .* █+▒+/)
    expect(stdout).toContain("91 requests of one key on the plan free")
    expect(stdout).toContain("line 92: not JSON")

    const own = ["--plan", "enterprise", "--per-minute", "1000", "--per-day", "1000"]
    expect(await petstoreJson<Replay>("limits", "replay", trace, ...own)).toMatchObject({
      total: { admitted: 91, refused: 0 }
    })
  })

  test("never repeats the text of a key", async () => {
    const trace = join(within, "trace.jsonl")
    const key = `ps_${"a1B2".repeat(8)}c3D4e5`
    writeFileSync(
      trace,
      `${JSON.stringify({ at: NOON_MS, key })}\n${JSON.stringify({ at: NOON_MS, key: "b" })}\n`
    )
    for (const format of [[], ["--json"]]) {
      const { stdout } = await petstore(["limits", "replay", trace, "--plan", "pro", ...format])
      expect(stdout).toContain("ps_a1B2a…")
      expect(stdout).not.toContain(key)
    }
  })

  test("without a request in it, or without the file, is one line and 1", async () => {
    const trace = join(within, "trace.jsonl")
    writeFileSync(trace, "oops\n")
    const empty = await petstore(["limits", "replay", trace, "--plan", "pro"])
    expect([empty.code, empty.stdout]).toEqual([1, ""])
    expect(empty.stderr).toBe(`petstore: ${trace} has no requests in it; line 1: not JSON\n`)
    const none = await petstore(["limits", "replay", join(within, "none"), "--plan", "pro"])
    expect([none.code, none.stderr.endsWith(": there is no such file\n")]).toEqual([1, true])
  })
})
