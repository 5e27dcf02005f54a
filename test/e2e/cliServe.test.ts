import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { verify } from "@petstore/storage-sqlite"
import { openSqlite } from "./openSqlite.js"
import { Effect } from "effect"
import { afterEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, served } from "./petstore.js"

const newFolder = folders()

afterEach(killAll)

const linesOf = (text: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  text
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe("petstore serve", { timeout: 30_000 }, () => {
  test("writes one line of JSON for each request, by its route, and no key", async () => {
    const { child, ended, key, call, url } = await served("--memory", "--demo")
    await call("/pets/1")
    await call("/pets?name=secret")
    await call("/secret")
    await call("/pets/1", {}, "ps_secret0000000000000000000000000000000000")
    await fetch(`${url}/pets/1%0a%7b?key=${key}`, {
      headers: { "x-api-key": key, "x-request-id": "mine" }
    })
    child.kill("SIGTERM")
    const { stderr } = await ended
    const lines = linesOf(stderr)
    expect(lines.map(({ operation, status, code }) => [operation, status, code])).toEqual([
      ["getPet", 200, undefined],
      ["listPets", 200, undefined],
      [undefined, 404, "route_not_found"],
      ["getPet", 401, "invalid_key"],
      ["getPet", 400, "invalid_parameter"]
    ])
    expect(lines[4]).toMatchObject({
      requestId: "mine",
      method: "GET",
      route: "/pets/{petId}",
      level: "info"
    })
    expect(stderr).not.toContain("secret")
    expect(stderr).not.toContain(key)
  })

  test("--quiet writes nothing of requests", async () => {
    const { child, ended, call } = await served("--memory", "--quiet")
    await call("/pets")
    child.kill("SIGTERM")
    expect((await ended).stderr).toBe("")
  })

  test("--cors and --require-conditions do what they say", async () => {
    const { call, url, key } = await served(
      "--memory",
      "--demo",
      "--quiet",
      "--cors",
      "https://a.example",
      "--cors",
      "https://b.example",
      "--require-conditions"
    )
    const response = await fetch(`${url}/pets`, {
      headers: { origin: "https://b.example", "x-api-key": key }
    })
    expect(response.headers.get("access-control-allow-origin")).toBe("https://b.example")
    expect((await call("/pets/1", { method: "DELETE" })).status).toBe(428)
  })

  test("--max-body-bytes bounds what is read", async () => {
    const { call } = await served("--memory", "--quiet", "--max-body-bytes", "20")
    const post = async (body: string) =>
      (await call("/categories", { method: "POST", body })).status
    expect([await post('{"name":"Cats"}'), await post('{"name":"Long-haired cats"}')]).toEqual([
      201, 413
    ])
  })

  test("--headers-timeout cuts slow callers", async () => {
    const { url } = await served("--memory", "--quiet", "--headers-timeout", "1s")
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    socket.write("GET /pets HTTP/1.1\r\n")
    const [answer] = await once(socket.setEncoding("utf8"), "data")
    expect(answer).toContain("408")
    socket.destroy()
  })

  test("--deprecated and --sunset move the dates, and --lifecycle enforce ends what is past them", async () => {
    const dates = ["--deprecated", "2020-01-01", "--sunset", "2020-06-01T12:00:00Z"]
    const { call } = await served("--memory", "--demo", "--quiet", ...dates)
    const told = await call("/pets/1")
    expect([told.status, told.headers.get("deprecation"), told.headers.get("sunset")]).toEqual([
      200,
      "@1577836800",
      "Mon, 01 Jun 2020 12:00:00 GMT"
    ])
    const enforcing = await served(
      "--memory",
      "--demo",
      "--quiet",
      ...dates,
      "--lifecycle",
      "enforce"
    )
    expect((await enforcing.call("/pets/1")).status).toBe(410)
  })

  test("a sunset before the deprecation, and what is no date, are refused before anything is opened", async () => {
    const early = await petstore(["serve", "--memory", "--port", "0", "--sunset", "2020-01-01"])
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining("--sunset is before")])
    const none = await petstore(["serve", "--memory", "--port", "0", "--sunset", "soon"])
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("expected a day")])
  })

  test("on SIGTERM finishes and commits what is under way: whatever was answered is in the file, whole", async () => {
    const db = join(newFolder(), "pets.db")
    const { child, ended, call, url } = await served("--db", db, "--demo")
    let stopped = false
    const placed: Array<number> = []
    const refused: Array<string> = []
    const caller = async (): Promise<void> => {
      for (;;) {
        if (stopped) return
        try {
          const response = await call("/store/orders", { method: "POST", body: "{}" })
          const { id, code }: { readonly id: number; readonly code?: string } = JSON.parse(
            await response.text()
          )
          if (response.status === 201) placed.push(id)
          else refused.push(`${response.status} ${code}`)
        } catch {
          return
        }
      }
    }
    const callers = Array.from({ length: 24 }, caller)
    while (placed.length < 200) await new Promise((resolve) => setTimeout(resolve, 5))
    const startedMs = performance.now()
    child.kill("SIGTERM")
    const { code } = await ended
    expect([code, performance.now() - startedMs < 4_000]).toEqual([0, true])
    stopped = true
    await Promise.all(callers)
    expect(new Set(refused)).toEqual(new Set(refused.length === 0 ? [] : ["503 shutting_down"]))
    const file = openSqlite(db, { readOnly: true })
    const stored = new Set(file.values("SELECT id FROM orders").all())
    file.close()
    expect(placed.filter((id) => !stored.has(id))).toEqual([])
    expect(await Effect.runPromise(verify({ filename: db }))).toEqual([])
    expect(url).not.toBe("")
  })
})
