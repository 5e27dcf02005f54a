import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, type Served, served, start } from "./petstore.js"

const folder = folders()
afterEach(killAll)

let db = ""
let list = ""
beforeEach(() => {
  const within = folder()
  db = join(within, "shop.db")
  list = join(within, "list.csv")
})

const importOf = (url: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  "import",
  list,
  ..."--name Name --category Kind --url".split(" "),
  url,
  ...more
]

/** Runs a command one of whose outputs nobody reads: its reader is gone before it writes. */
const unread = (
  output: "stdout" | "stderr",
  args: ReadonlyArray<string>,
  extra?: Readonly<Record<string, string>>
) => {
  const started = start(args, extra)
  started.child[output]?.destroy()
  return started.ended
}

/**
 * Longer than a command lives on once its work is done, so that what it has not written by then is
 * lost.
 */
const SLOW_MS = 3_000

const readSlowly = async (args: ReadonlyArray<string>) => {
  const { child, output, ended } = start(args)
  child.stdout?.pause()
  await sleep(SLOW_MS)
  child.stdout?.resume()
  const { code } = await ended
  return { code, stdout: output.stdout }
}

describe("a reader that is slow", { timeout: 60_000 }, () => {
  test("gets all of a long output", async () => {
    const { stdout } = await petstore(["openapi"])
    expect(stdout.length).toBeGreaterThan(200_000)
    expect(await readSlowly(["openapi"])).toEqual({ code: 0, stdout })
  })

  test("gets all that a dry run says of a long list", async () => {
    writeFileSync(list, `Name,Kind\n${",Dog\n".repeat(20_000)}`)
    const { code, stdout } = await readSlowly(importOf("http://127.0.0.1:9", "--dry-run", "--json"))
    expect(code).toBe(0)
    expect(JSON.parse(stdout).refusedLines.length).toBe(20_000)
  })

  test("gets all of a failure too, with its exit code", async () => {
    writeFileSync(list, `Name,Kind\n${",Dog\n".repeat(20_000)}Rex,Dog\n`)
    const { code, stdout } = await readSlowly(
      importOf("http://127.0.0.1:9", "--json", "--key", "ps_0", "--max-wait", "0")
    )
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, error: { code: "import_stopped" } })
  })
})

describe("when stderr has no reader", { timeout: 60_000 }, () => {
  test("keys create makes the file and prints the key", async () => {
    const { code, stdout } = await unread("stderr", [
      "keys",
      "create",
      "--plan",
      "pro",
      "--db",
      db,
      "--json"
    ])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: 1 }])
  })

  test("webhooks add makes the secret and prints the webhook", async () => {
    await petstoreJson("keys", "create", "--plan", "pro", "--db", db)
    const add = ["webhooks", "add", "https://shop.example/hooks", "--db", db, "--json"]
    const { code, stdout } = await unread("stderr", add)
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: 1 }])
  })

  test("seed fills the new store, and backup copies it", async () => {
    const seeded = await unread("stderr", ["seed", "--db", db, "--json"])
    expect([seeded.code, JSON.parse(seeded.stdout)]).toMatchObject([0, { animals: 200 }])
    const copied = await unread("stderr", ["backup", `${db}.copy`, "--db", db, "--json"])
    expect([copied.code, JSON.parse(copied.stdout)]).toMatchObject([0, { verified: true }])
  })

  test("import loads the list to its end", async () => {
    const shop = await served("--db", db, "--demo-plan", "free")
    writeFileSync(list, `Name,Kind\n${"Rex,Dog\n".repeat(200)}`)
    const first = await unread("stderr", importOf(shop.url, "--max-wait", "0"), {
      PETSTORE_KEY: shop.key
    })
    expect(first.code).toBe(1)
    const { key } = await petstoreJson<Served>("keys", "create", "--plan", "business", "--db", db)
    // It says on stderr, before it sends anything, how much earlier runs did.
    const second = await unread("stderr", importOf(shop.url, "--json"), { PETSTORE_KEY: key })
    expect([second.code, JSON.parse(second.stdout)]).toMatchObject([0, { complete: true }])
    const pets = await shop.call("/pets?limit=1&total=true", {}, key)
    expect(pets.headers.get("x-total-count")).toBe("200")
  })

  test("a failure keeps its exit code", async () => {
    expect((await unread("stderr", ["keys", "list", "--db", db])).code).toBe(1)
    expect((await unread("stderr", ["keys", "sing"])).code).toBe(2)
  })
})

describe("when stdout has no reader", { timeout: 60_000 }, () => {
  test("a command that succeeds ends with 0, and a failure keeps its exit code", async () => {
    expect(await unread("stdout", ["seed", "--db", db])).toMatchObject({ code: 0 })
    expect(await unread("stdout", ["openapi"])).toMatchObject({ code: 0, stderr: "" })
    expect(await unread("stdout", ["keys", "list", "--db", `${db}.no`, "--json"])).toMatchObject({
      code: 1
    })
    expect(await unread("stdout", ["keys", "sing", "--json"])).toMatchObject({ code: 2 })
  })

  test("verify ends with 1 for a damaged store", async () => {
    writeFileSync(db, "no store at all ".repeat(1_000))
    for (const format of [[], ["--json"]]) {
      const { code, stderr } = await unread("stdout", ["verify", "--db", db, ...format])
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^petstore: [^\n]+\n$/)])
    }
  })

  test("import ends with 1 where it had to stop", async () => {
    const shop = await served("--memory", "--demo-plan", "free")
    writeFileSync(list, `Name,Kind\n${"Rex,Dog\n".repeat(200)}`)
    const { code, stderr } = await unread("stdout", importOf(shop.url, "--max-wait", "0"), {
      PETSTORE_KEY: shop.key
    })
    expect([code, stderr]).toEqual([1, expect.stringContaining("the rate limit is reached")])
  })

  test("a key or a secret that is shown only once is not lost silently", async () => {
    const made = await unread("stdout", ["keys", "create", "--plan", "pro", "--db", db])
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining("petstore keys rotate 1")])
    const added = await unread("stdout", [
      "webhooks",
      "add",
      "https://shop.example/hooks",
      "--db",
      db
    ])
    expect([added.code, added.stderr]).toEqual([
      1,
      expect.stringContaining("petstore webhooks rotate 1")
    ])
    const rotated = await unread("stdout", ["keys", "rotate", "1", "--db", db, "--json"])
    expect([rotated.code, rotated.stderr]).toEqual([
      1,
      expect.stringContaining("petstore keys rotate 2")
    ])
  })
})
