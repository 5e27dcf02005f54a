import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, type Served, served } from "./petstore.js"
import { verify, webhookReceiver } from "./WebhookReceiver.js"

const folder = folders()
afterEach(killAll)

let db = ""
beforeEach(async () => {
  db = join(folder(), "shop.db")
  await petstoreJson("keys", "create", "--plan", "business", "--db", db)
})

type Shown = {
  readonly id: number
  readonly url: string
  readonly state: string
  readonly deliveredTo: number
}
type Made = Shown & { readonly secret: string }

const HERE = ["--allow-http", "--allow-private"]
const SERVED_HERE = ["--allow-http-webhooks", "--allow-private-webhooks"]

const webhooks = <A = Shown>(...args: ReadonlyArray<string>) =>
  petstoreJson<A>("webhooks", ...args, "--db", db)

const add = (url: string, ...options: ReadonlyArray<string>) =>
  webhooks<Made>("add", url, ...HERE, ...options)

const refusal = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stdout, stderr } = await petstore(["webhooks", ...args, "--db", db])
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
  return stderr.slice("petstore: ".length).trimEnd()
}

const addCategory = (shop: Served, name: string) =>
  shop.call("/categories", { method: "POST", body: JSON.stringify({ name }) })

/** Serves the file with a key that may call it. */
const serving = async (...options: ReadonlyArray<string>) => {
  const { key } = await petstoreJson<{ readonly key: string }>(
    "keys",
    "create",
    "--plan",
    "business",
    "--db",
    db
  )
  const shop = await served("--db", db, ...SERVED_HERE, ...options)
  const call: Served["call"] = (path, init) => shop.call(path, init, key)
  return { ...shop, call }
}

describe("petstore webhooks", { timeout: 60_000 }, () => {
  test("a webhook that is added while the store is served is sent what happens, and its log says so", async () => {
    const receiver = await webhookReceiver()
    const shop = await serving()
    const { secret, ...shown } = await add(receiver.url, "--type", "category.created")
    expect(shown).toMatchObject({
      id: 1,
      url: receiver.url,
      types: ["category.created"],
      state: "enabled"
    })
    await addCategory(shop, "Fish")
    await receiver.got(1)
    const [message] = receiver.messages
    if (message === undefined) throw new Error("nothing was sent")
    expect(verify(secret, message)).toMatchObject({
      type: "category.created",
      data: { record: { name: "Fish" } }
    })

    const replayed = await webhooks("replay", "1", "--only", String(message.sequence))
    expect(replayed).toMatchObject({ replaysWaiting: 1 })
    await receiver.got(2)
    expect(receiver.messages[1]?.id).toBe(message.id)

    const rotated = await webhooks<Made>("rotate", "1", "--overlap", "1h")
    await addCategory(shop, "Birds")
    await receiver.got(3)
    for (const each of [secret, rotated.secret])
      expect(verify(each, receiver.messages[2] ?? message)).toBeTruthy()

    shop.child.kill("SIGTERM")
    const { code, stderr } = await shop.ended
    expect(code).toBe(0)
    expect(stderr.split("\n").filter((line) => line.includes('"event":"webhook"'))).toHaveLength(3)
    const { attempts } = await webhooks<{ readonly attempts: ReadonlyArray<object> }>("log", "1")
    expect(attempts).toMatchObject([
      { attempt: 1, outcome: "delivered", status: 204 },
      { attempt: 0, outcome: "delivered", sequence: message.sequence },
      { attempt: 1, outcome: "delivered", sequence: message.sequence }
    ])
    const { stdout } = await petstore(["webhooks", "log", "--db", db])
    expect(stdout).toMatch(/│ +at \(UTC\)/)
    expect(stdout.match(/delivered/g)).toHaveLength(3)
  })

  test("a webhook is gone after a 410, and continues with the message at which it stopped when it is enabled", async () => {
    const receiver = await webhookReceiver()
    receiver.answer(410)
    await add(receiver.url)
    const shop = await serving()
    await addCategory(shop, "Fish")
    await receiver.got(1)
    const state = async () => (await webhooks("show", "1")).state
    while ((await state()) !== "gone");
    receiver.answer(204)
    expect(await webhooks("enable", "1")).toMatchObject({ state: "enabled" })
    await receiver.got(2)
    expect(receiver.messages[1]?.id).toBe(receiver.messages[0]?.id)
  })

  test("a server that is stopped while a receiver does not answer does not wait for it to time out, and the message comes again", async () => {
    const receiver = await webhookReceiver()
    receiver.answer("nothing")
    await add(receiver.url)
    const first = await serving()
    await addCategory(first, "Fish")
    await receiver.got(1)
    first.child.kill("SIGTERM")
    const { code, stderr } = await first.ended
    // Waited for, it would be written down as a timeout.
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('"event":"webhook"')])
    receiver.answer(204)
    await serving()
    await receiver.got(2)
    expect(receiver.messages[1]?.id).toBe(receiver.messages[0]?.id)
  })

  test("two servers on one file send each message once, in order, whichever made the change", async () => {
    const receiver = await webhookReceiver()
    await add(receiver.url)
    const shops = [await serving(), await serving()]
    for (let nth = 0; nth < 20; nth++) {
      const shop = shops[nth % 2]
      if (shop !== undefined) await addCategory(shop, `Kind ${nth}`)
    }
    await receiver.got(20)
    for (const shop of shops) shop.child.kill("SIGTERM")
    for (const shop of shops) await shop.ended
    const sequences = receiver.messages.map(({ sequence }) => sequence)
    expect(sequences).toEqual(Array.from({ length: 20 }, (_, at) => (sequences[0] ?? 0) + at))
    expect(await webhooks("show", "1")).toMatchObject({
      deliveredTo: sequences.at(-1),
      state: "enabled"
    })
  })

  test("no signing secret, and not what they are made from, is in the store, a backup, a log or what commands say later", async () => {
    const receiver = await webhookReceiver()
    const made = await add(receiver.url)
    const path = `${db}.webhook-secret`
    const host = readFileSync(path, "utf8").trim()
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600)
    const shop = await serving()
    receiver.answer(500)
    await addCategory(shop, "Fish")
    await receiver.got(1)
    const rotated = await webhooks<Made>("rotate", "1")
    const said: Array<string> = []
    for (const args of [
      ["list"],
      ["show", "1"],
      ["log"],
      ["disable", "1"],
      ["list", "--json"],
      ["show", "1", "--json"]
    ]) {
      const { code, stdout, stderr } = await petstore(["webhooks", ...args, "--db", db])
      expect(code).toBe(0)
      said.push(stdout + stderr)
    }
    await petstore(["backup", `${db}.backup`, "--db", db])
    const metrics = await (await fetch(`${shop.url}/metrics`)).text()
    expect(metrics).toMatch(/^petstore_webhook_attempts_total\{outcome="refused"\} [1-9]/m)
    shop.child.kill("SIGTERM")
    const { stdout, stderr } = await shop.ended
    const files = readdirSync(join(db, ".."))
      .map((name) => join(db, "..", name))
      .filter((file) => file !== path)
      .map((file) => readFileSync(file, "latin1"))
    expect(files.length).toBeGreaterThan(1)
    for (const text of [...said, ...files, stdout, stderr, metrics]) {
      for (const secret of [
        host,
        made.secret.slice("whsec_".length),
        rotated.secret.slice("whsec_".length)
      ])
        expect(text.includes(secret)).toBe(false)
    }
  })

  test("the secret may come from a file of another name, or from the environment", async () => {
    const file = join(db, "..", "secret.txt")
    writeFileSync(file, "a secret that somebody has chosen\n", { mode: 0o600 })
    const url = "https://shop.example/hooks"
    const { code } = await petstore([
      "webhooks",
      "add",
      url,
      "--webhook-secret-file",
      file,
      "--db",
      db
    ])
    expect(code).toBe(0)
    const extra = { PETSTORE_WEBHOOK_SECRET: "another secret that somebody has chosen" }
    expect((await petstore(["webhooks", "add", url, "--db", db], extra)).code).toBe(0)
    expect(existsSync(`${db}.webhook-secret`)).toBe(false)
    const short = { PETSTORE_WEBHOOK_SECRET: "hunter2" }
    const refused = await petstore(["webhooks", "add", url, "--db", db], short)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/^petstore: PETSTORE_WEBHOOK_SECRET is too short[^\n]*\n$/)
    expect(refused.stderr).not.toContain("hunter2")
  })

  test("what can't be is refused in one line, and makes no secret", async () => {
    expect(await refusal("add", "http://shop.example/")).toMatch(
      /^url: expected a URL that begins with https/
    )
    expect(await refusal("add", "https://127.1/")).toMatch(/^url: expected a public address/)
    expect(existsSync(`${db}.webhook-secret`)).toBe(false)
    expect(await refusal("show", "1")).toBe("there is no webhook 1")
    await add("https://shop.example/hooks")
    expect(await refusal("replay", "1", "--from", "9999")).toMatch(/^there is no change 9999 yet/)
    expect((await petstore(["webhooks", "replay", "1", "--db", db])).code).toBe(2)
    expect((await petstore(["webhooks", "update", "1", "--db", db])).code).toBe(2)
    const wrong = await petstore([
      "webhooks",
      "add",
      "https://x.example",
      "--type",
      "pet.sold",
      "--db",
      db
    ])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("order.placed")])
    const elsewhere = await petstore(["webhooks", "add", "https://x.example", "--db", `${db}.none`])
    expect([elsewhere.code, existsSync(`${db}.none`)]).toEqual([1, false])
  })

  test("people get the secret in the first line, and tables", async () => {
    const added = await petstore(["webhooks", "add", "https://shop.example/hooks", "--db", db])
    expect(added.stdout).toMatch(
      /^whsec_[A-Za-z0-9+/]{43}=\nWebhook 1 is sent changes from now on, while the store is served\. Its/
    )
    expect(added.stderr).toMatch(/^petstore: made .*\.webhook-secret/)
    const list = await petstore(["webhooks", "list", "--db", db])
    expect(list.stdout).toMatch(/│ https:\/\/shop\.example\/hooks +│ all +│ enabled/)
    const updated = await petstore(["webhooks", "update", "1", "--type", "pet.created", "--db", db])
    expect(updated.stdout).toMatch(/^Webhook 1 is enabled;/)
    expect(await webhooks("show", "1")).toMatchObject({ types: ["pet.created"], attempts: [] })
    expect(await webhooks("update", "1", "--all-types")).not.toHaveProperty("types")
    expect(await webhooks("disable", "1")).toMatchObject({ state: "disabled" })
    expect(await webhooks("remove", "1")).toEqual({ id: 1, removed: true })
    expect((await petstore(["webhooks", "list", "--db", db])).stdout).toBe(
      "There are no webhooks.\n"
    )
    const here = await petstore(["webhooks", "add", "http://127.0.0.1:1/", ...HERE, "--db", db])
    expect(here.stdout).toContain(`while the store is served with ${SERVED_HERE.join(" ")}.`)
  })
})
