import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, type Served, served } from "./petstore.js"

const folder = folders()
afterEach(killAll)

let db = ""
beforeEach(() => {
  db = join(folder(), "shop.db")
})

type Made = {
  readonly id: number
  readonly account: number
  readonly key: string
  readonly plan: string
}

const make = (...args: ReadonlyArray<string>) =>
  petstoreJson<Made>("keys", "create", ...args, "--db", db)

const codeOf = async (shop: Served, key: string): Promise<string> => {
  const answer = await shop.call("/pets?limit=1", {}, key)
  const body: { readonly code?: string } = JSON.parse(await answer.text())
  return answer.ok ? String(answer.status) : `${answer.status} ${body.code}`
}

const refusal = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stdout, stderr } = await petstore([...args, "--db", db])
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
  return stderr.slice("petstore: ".length).trimEnd()
}

describe("petstore keys", { timeout: 60_000 }, () => {
  test("create --json prints exactly id, account, key and plan, and makes the file if it is not there", async () => {
    const { code, stdout } = await petstore([
      "keys",
      "create",
      "--plan",
      "free",
      "--db",
      db,
      "--json"
    ])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\{"id":1,"account":1,"key":"ps_[0-9A-Za-z]{38}","plan":"free"\}\n$/)
  })

  test("what a served store sees of a key's life: each change counts from the next request on", async () => {
    const shop = await served("--db", db)
    const { id, account, key } = await make("--plan", "business", "--name", "Till")
    const change = (verb: string) => petstoreJson("keys", verb, String(id), "--db", db)

    expect((await shop.call("/pets", {}, key)).headers.get("x-ratelimit-limit")).toBe("1000")
    expect(await change("disable")).toMatchObject({ id, account, disabled: true })
    expect(await codeOf(shop, key)).toBe("403 key_disabled")
    await change("enable")
    expect(await codeOf(shop, key)).toBe("200")

    const rotated = await petstoreJson<Made>(
      "keys",
      "rotate",
      String(id),
      "--overlap",
      "1h",
      "--db",
      db
    )
    expect(rotated).toMatchObject({ account, plan: "business", replaces: id })
    expect([await codeOf(shop, key), await codeOf(shop, rotated.key)]).toEqual(["200", "200"])

    await change("revoke")
    expect([await codeOf(shop, key), await codeOf(shop, rotated.key)]).toEqual([
      "401 revoked_key",
      "200"
    ])

    const again = await petstoreJson<Made>("keys", "rotate", String(rotated.id), "--db", db)
    expect(await codeOf(shop, rotated.key)).toBe("401 revoked_key")
    expect(await codeOf(shop, again.key)).toBe("200")

    const expire = (when: string) =>
      petstoreJson("keys", "expire", String(again.id), when, "--db", db)
    expect(await expire("2020-01-31")).toMatchObject({ expiresAt: "2020-01-31T00:00:00Z" })
    expect(await codeOf(shop, again.key)).toBe("401 expired_key")
    expect(await expire("never")).not.toHaveProperty("expiresAt")
    expect(await codeOf(shop, again.key)).toBe("200")

    for (const [when, expected] of [
      ["0000-12-31", "an instant of the years 1 to 9999 in UTC"],
      ["1990-12-31T23:59:60Z", "seconds from 00 to 59, since leap seconds are not kept"]
    ] as const) {
      const refused = await petstore(["keys", "expire", String(again.id), when, "--db", db])
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining(`expected ${expected}, got '${when}'`)
      ])
      const made = await petstore([
        "keys",
        "create",
        "--plan",
        "free",
        "--expires",
        when,
        "--db",
        db
      ])
      expect([made.code, made.stderr]).toEqual([
        2,
        expect.stringContaining(`expected ${expected}, got '${when}'`)
      ])
    }

    const second = await make("--account", String(account), "--expires", "2020-01-31")
    expect(second).toMatchObject({ account, plan: "business" })
    expect(await codeOf(shop, second.key)).toBe("401 expired_key")

    await petstoreJson("accounts", "set-plan", String(account), "free", "--db", db)
    expect((await shop.call("/pets", {}, again.key)).headers.get("x-ratelimit-limit")).toBe("60")
  })

  test("a key's text is on stdout once, and in nothing that is printed later", async () => {
    const made = await petstore(["keys", "create", "--plan", "pro", "--name", "Till", "--db", db])
    const key = /ps_[0-9A-Za-z]{38}/.exec(made.stdout)?.[0] ?? ""
    expect(key).not.toBe("")
    expect(made.stderr).not.toContain(key)
    for (const args of [
      ["keys", "list"],
      ["keys", "list", "--json"],
      ["accounts", "show", "1"],
      ["keys", "revoke", "1"]
    ]) {
      const { code, stdout, stderr } = await petstore([...args, "--db", db])
      expect(code).toBe(0)
      expect(stdout).not.toContain(key)
      expect(stdout).toContain(args[0] === "accounts" ? "Till" : key.slice(0, 8))
      expect(stdout).not.toContain("\u001b")
      expect(stderr).toBe("")
    }
  })

  test("list shows every key, or those of an account; more than a page of them too", async () => {
    const { account } = await make("--plan", "pro")
    await make("--plan", "free")
    const listed = (...args: ReadonlyArray<string>) =>
      petstoreJson<{ keys: ReadonlyArray<{ account: number }> }>(
        "keys",
        "list",
        ...args,
        "--db",
        db
      )
    expect((await listed()).keys).toHaveLength(2)
    expect((await listed("--account", String(account))).keys).toMatchObject([
      { account, disabled: false }
    ])
    const { stdout } = await petstore(["keys", "list", "--db", db])
    expect(stdout.split("\n").filter((line) => line.includes("active"))).toHaveLength(2)
  })

  test("what the rules refuse is one line and ends with 1", async () => {
    await make("--plan", "free")
    expect(await refusal("keys", "revoke", "99")).toBe("there is no key 99")
    await petstoreJson("keys", "revoke", "1", "--db", db)
    expect(await refusal("keys", "rotate", "1")).toContain("was revoked at")
    expect(await refusal("keys", "list", "--account", "99")).toBe("there is no account 99")
    expect(await refusal("keys", "create", "--account", "99")).toBe("there is no account 99")
    expect(await refusal("keys", "create", "--account", "1", "--plan", "pro")).toContain(
      "is on the plan free"
    )
    expect(await refusal("keys", "create", "--plan", "gold")).toBe(
      'plan: expected one of free, pro, business, enterprise, got "gold"'
    )
    expect(await refusal("keys", "create", "--plan", "enterprise")).toContain(
      "--per-minute: expected"
    )
    const zero = ["keys", "create", "--plan", "enterprise", "--per-minute", "0", "--per-day", "9"]
    expect(await refusal(...zero)).toMatch(/^--per-minute: expected .*, got 0$/)
    expect(await refusal("keys", "create", "--plan", "pro", "--per-day", "9")).toMatch(
      /^--per-day: expected/
    )
    expect(await refusal("keys", "create", "--plan", "pro", "--name", " ")).toMatch(
      /^--name: expected/
    )
    expect(await refusal("accounts", "set-plan", "1", "gold")).toMatch(/^plan: expected/)
    expect(await refusal("accounts", "unban", "7")).toBe("there is no account 7")
  })

  test("enterprise numbers are exact, however large", async () => {
    const shop = await served("--db", db)
    const numbers = ["--per-minute", "1000000000000", "--per-day", "1000000000007"]
    const { account, key } = await make("--plan", "enterprise", ...numbers)
    expect(await petstoreJson("accounts", "show", String(account), "--db", db)).toMatchObject({
      perMinute: 1_000_000_000_000,
      perDay: 1_000_000_000_007
    })
    const answer = await shop.call("/pets", {}, key)
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000000000000")
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("999999999999")
  })
})

describe("petstore accounts", { timeout: 60_000 }, () => {
  test("create, list and show say what an account may do", async () => {
    const made = await petstoreJson(
      "accounts",
      "create",
      "--plan",
      "pro",
      "--name",
      "Zoo",
      "--db",
      db
    )
    expect(made).toMatchObject({ id: 1, name: "Zoo", plan: "pro", perMinute: 300, perDay: 10_000 })
    expect(await petstoreJson("accounts", "list", "--db", db)).toEqual({ accounts: [made] })
    expect(await petstoreJson("accounts", "show", "1", "--db", db)).toEqual({ ...made, keys: [] })
    const { stdout } = await petstore(["accounts", "list", "--db", db])
    expect(stdout).toContain("Zoo")
    expect(stdout).toContain("10,000")
  })

  test("unban lifts a ban while the store is served", async () => {
    const shop = await served("--db", db)
    const { account, key } = await make(
      "--plan",
      "enterprise",
      "--per-minute",
      "1",
      "--per-day",
      "1"
    )
    await codeOf(shop, key)
    let code = ""
    while (code !== "403 key_banned") code = await codeOf(shop, key)
    expect(await petstoreJson("accounts", "unban", String(account), "--db", db)).toEqual({
      id: account,
      wasBanned: true
    })
    while (code === "403 key_banned") code = await codeOf(shop, key)
    expect(code).toBe("429 rate_limited")
  })
})
