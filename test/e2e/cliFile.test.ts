import { copyFileSync, existsSync, readdirSync, statSync } from "node:fs"
import { open } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, served } from "./petstore.js"

const folder = folders()
afterEach(killAll)

let db = ""
beforeEach(() => {
  db = join(folder(), "shop.db")
})

type Verified = {
  readonly ok: boolean
  readonly checks: ReadonlyArray<string>
  readonly findings: ReadonlyArray<{ readonly check: string; readonly detail: string }>
}

/** Writes noise over every page but the first few. */
const damage = async (path: string): Promise<void> => {
  const file = await open(path, "r+")
  const { size } = await file.stat()
  for (let at = 4 * 4_096; at < size; at += 4_096)
    await file.write(Buffer.alloc(512, 0xa5), 0, 512, at + 64)
  await file.close()
}

describe("petstore backup", { timeout: 60_000 }, () => {
  test("copies a store while it is written; the copy is whole, can be served, and holds what was acknowledged before", async () => {
    await petstoreJson("seed", "--count", "20000", "--db", db)
    const shop = await served("--db", db)
    const plan = ["--plan", "enterprise", "--per-minute", "1000000", "--per-day", "1000000"]
    const { key } = await petstoreJson<{ key: string }>("keys", "create", ...plan, "--db", db)
    const total = async ({ call }: Pick<typeof shop, "call">) =>
      Number((await call("/pets?limit=1&total=true", {}, key)).headers.get("x-total-count"))
    const writing = new AbortController()
    const writes = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!writing.signal.aborted) {
          const body = '{"name":"Rex","categoryId":1}'
          expect((await shop.call("/pets", { method: "POST", body }, key)).status).toBe(201)
        }
      })
    )
    while ((await total(shop)) < 20_050);
    const before = await total(shop)
    const copy = join(dirname(db), "copy.db")
    const { code, stdout, stderr } = await petstore(["backup", copy, "--db", db, "--json"])
    writing.abort()
    await writes
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({ copy, verified: true, bytes: statSync(copy).size })
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(await petstoreJson<Verified>("verify", "--db", copy)).toMatchObject({ ok: true })
    const restored = await served("--db", copy)
    const copied = await total(restored)
    expect(copied).toBeGreaterThanOrEqual(before)
    expect(copied).toBeLessThan(await total(shop))
  })

  test("replaces nothing, and leaves nothing behind where it can't be made", async () => {
    await petstoreJson("seed", "--db", db)
    const within = dirname(db)
    for (const destination of [db, join(within, "no", "copy.db"), within]) {
      const { code, stdout, stderr } = await petstore(["backup", destination, "--db", db])
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
    }
    expect(readdirSync(within)).toEqual(["shop.db"])
  })

  test("of a damaged store is refused", async () => {
    await petstoreJson("seed", "--count", "2000", "--db", db)
    await damage(db)
    const copy = `${db}.copy`
    const { code, stderr } = await petstore(["backup", copy, "--db", db])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
    expect(existsSync(copy)).toBe(false)
  })
})

describe("petstore verify", { timeout: 60_000 }, () => {
  test("reports that a store is intact, and what it checked", async () => {
    await petstoreJson("seed", "--db", db)
    const { ok, checks, findings } = await petstoreJson<Verified>("verify", "--db", db)
    expect([ok, findings]).toEqual([true, []])
    expect(checks.length).toBeGreaterThan(5)
    const { code, stdout, stderr } = await petstore(["verify", "--db", db])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("is intact")
  })

  test("says of a damaged copy what is wrong with it, and ends with 1", async () => {
    await petstoreJson("seed", "--count", "2000", "--db", db)
    const copy = `${db}.copy`
    copyFileSync(db, copy)
    await damage(copy)
    const people = await petstore(["verify", "--db", copy])
    expect(people.code).toBe(1)
    expect(people.stdout).toContain("what is wrong")
    expect(people.stderr).toMatch(/^petstore: [^\n]+ is damaged: \d+ findings\n$/)
    const programs = await petstore(["verify", "--db", copy, "--json"])
    expect(programs.code).toBe(1)
    const verified: Verified = JSON.parse(programs.stdout)
    expect(verified.ok).toBe(false)
    expect(verified.findings.length).toBeGreaterThan(0)
    expect(await petstoreJson<Verified>("verify", "--db", db)).toMatchObject({ ok: true })
  })
})

describe("petstore seed", { timeout: 60_000 }, () => {
  test("fills an empty store once: the demo shop, or so many animals", async () => {
    expect(await petstoreJson("seed", "--db", db)).toMatchObject({
      categories: 12,
      animals: 200,
      orders: 64
    })
    const again = await petstore(["seed", "--db", db])
    expect([again.code, again.stdout]).toEqual([1, ""])
    expect(again.stderr).toMatch(/^petstore: there is a shop in [^\n]+ already[^\n]+\n$/)
    const many = `${db}.many`
    expect(await petstoreJson("seed", "--count", "1234", "--db", many)).toMatchObject({
      animals: 1_234
    })
    expect(await petstoreJson<Verified>("verify", "--db", many)).toMatchObject({ ok: true })
    const { call, key } = await served("--db", many)
    expect(key).not.toBe("")
    expect((await call("/pets?limit=1&total=true")).headers.get("x-total-count")).toBe("1234")
  })
})
