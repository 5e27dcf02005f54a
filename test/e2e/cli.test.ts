import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { connect, createServer } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { afterEach, describe, expect, test } from "vitest"
import { driverInfo } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { killAll, launcher, petstore, served, start } from "./petstore.js"

afterEach(killAll)

const listens = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("close", () => socket.destroy())
  })

const shell = (line: string) => promisify(execFile)("sh", ["-c", line])

describe("petstore", { timeout: 30_000 }, () => {
  test("says which version it is, and by which SQLite it opens stores", async () => {
    const { driver, sqliteVersion } = await Effect.runPromise(driverInfo())
    expect(await petstore(["--version"])).toEqual({
      code: 0,
      stdout: `0.1.0\nSQLite ${sqliteVersion}, driver ${driver}\n`,
      stderr: ""
    })
  })

  test("has help without escape codes that names the command as it is typed", async () => {
    const { code, stdout } = await petstore(["serve", "--help"])
    expect(code).toBe(0)
    expect(stdout.split("\n")[0]).toBe("petstore serve [options]")
    expect(stdout).toContain("--demo-plan")
    expect(stdout).not.toContain("\u001b")
    expect(stdout.split("\n").every((line) => line.length <= 100)).toBe(true)
  })

  test("without a command lists the commands and ends with 2", async () => {
    const { code, stdout } = await petstore([])
    expect(code).toBe(2)
    expect(stdout).toMatch(/^ {2}serve /m)
    expect(stdout).toMatch(/^ {2}import /m)
  })

  test("with a group but no command lists the group's commands, named as they are typed", async () => {
    const group = await petstore(["keys"])
    expect(group.code).toBe(2)
    expect(group.stdout.split("\n")[0]).toBe("petstore keys COMMAND")
    expect(group.stdout).toMatch(/^ {2}rotate /m)
    const { code, stdout } = await petstore(["keys", "rotate", "--help"])
    expect(code).toBe(0)
    expect(stdout.split("\n")[0]).toBe("petstore keys rotate <ID> [options]")
  })

  test("whose output can't be written says so in one line and ends with 1", async () => {
    const full = openSync("/dev/full", "w")
    const child = spawn(process.execPath, [launcher, "--version"], {
      stdio: ["ignore", full, "pipe"]
    })
    closeSync(full)
    if (child.stderr === null) throw new Error("no pipe")
    expect(await text(child.stderr)).toBe(
      "petstore: can't write the output: there is no room left where it goes\n"
    )
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(1)
  })

  test("that serves continues when its output is no longer read", async () => {
    const { child, output, ended } = start(["serve", "--memory", "--port", "0"])
    const url = await new Promise<string>((resolve) => {
      child.stdout?.once("data", (said: string) => {
        child.stdout?.destroy()
        resolve(/http:\S+/.exec(said)?.[0] ?? "")
      })
    })
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).status).toBe(200)
    await expect.poll(() => output.stderr).toContain("/health/ready")
    child.kill("SIGTERM")
    expect((await ended).code).toBe(0)
  })

  test("called wrongly says so in one line and ends with 2", async () => {
    const wrong = [
      ["serve", "--port", "99999"],
      ["serve", "--port", "0x10"],
      ["serve", "--nope"],
      ["serve", "--demo-plan", "gold"],
      ["serve", "--base-path", "no-slash"],
      ["sing"],
      ["import"],
      ["serve", "--memory", "--db", "x.db"],
      ["keys", "sing"],
      ["keys", "create"],
      ["keys", "create", "--plan", "pro", "--expires", "soon"],
      ["keys", "create", "--plan", "enterprise", "--per-minute", "1e3", "--per-day", "9"],
      ["keys", "revoke", "x"],
      ["keys", "rotate", "1", "--overlap", "soon"],
      ["keys", "expire", "1", "soon"],
      ["accounts", "set-plan", "1"],
      ["limits", "explain"],
      ["limits", "replay", "trace.jsonl"],
      ["seed", "--count", "0"],
      ["backup"],
      ["import", "list.csv", "--name", "Name", "--category", "Kind", "--status-map", "a=sold"],
      ["import", "list.csv", "--name", "Name", "--category", "Kind", "--url", "ftp://there"]
    ]
    for (const { code, stdout, stderr } of await Promise.all(wrong.map((args) => petstore(args)))) {
      expect([code, stdout]).toEqual([2, ""])
      expect(stderr).toMatch(/^petstore: [^\n{}]+\n$/)
    }
  })
})

describe("petstore serve", { timeout: 30_000 }, () => {
  test("says first where it listens, and can be called with the key it prints", async () => {
    const { output, url, call } = await served("--memory")
    expect(output.stdout.split("\n")[0]).toMatch(/ http:\/\/127\.0\.0\.1:\d+$/)
    expect(output.stderr).toBe("")
    expect((await fetch(`${url}/pets`)).status).toBe(401)
    const pets = await call("/pets")
    expect(pets.status).toBe(200)
    expect(await pets.json()).toEqual([])
    expect(Number(pets.headers.get("x-ratelimit-limit"))).toBeGreaterThan(1_000_000)
  })

  test("--demo prints curl lines that work as they are", async () => {
    const { output } = await served("--memory", "--demo")
    const lines = output.stdout.split("\n").filter((line) => line.startsWith("curl"))
    expect(lines.length).toBe(4)
    for (const line of lines) {
      const { stdout } = await shell(`${line} -sS --fail-with-body`)
      const body = stdout.split("\r\n\r\n").at(-1) ?? ""
      expect(JSON.parse(body), line).not.toEqual([])
      if (line.includes(" -i ")) expect(stdout.toLowerCase()).toContain("x-ratelimit-remaining")
    }
  })

  test("--memory prints curl lines that work one after the other", async () => {
    const { output } = await served("--memory")
    for (const line of output.stdout.split("\n").filter((each) => each.startsWith("curl"))) {
      await shell(`${line} -sS --fail-with-body`)
    }
  })

  test("--demo-plan picks the plan of the key", async () => {
    const { call } = await served("--memory", "--demo-plan", "free")
    expect((await call("/pets")).headers.get("x-ratelimit-limit")).toBe("60")
  })

  test("--base-path goes before every path", async () => {
    const { url, call } = await served("--memory", "--base-path", "/shop/v1")
    expect(url.endsWith("/shop/v1")).toBe(true)
    expect((await call("/pets")).status).toBe(200)
  })

  test.each(["SIGTERM", "SIGINT"] as const)(
    "ends with 0 on %s, once what is under way is done",
    async (signal) => {
      const { child, ended, call } = await served("--memory")
      await call("/pets")
      child.kill(signal)
      const { code, stderr } = await ended
      expect([code, stderr.split("\n").length]).toEqual([0, 2])
      expect(JSON.parse(stderr)).toMatchObject({ event: "request", operation: "listPets" })
    }
  )

  test("ends at once on a second signal, even while a request is under way", async () => {
    const { child, ended, url, key } = await served("--memory")
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    socket.on("error", () => undefined)
    socket.write(
      `POST /pets HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`
    )
    await new Promise((resolve) => socket.once("data", resolve))
    const startedMs = performance.now()
    child.kill("SIGTERM")
    while (await listens(url)) await sleep(1)
    child.kill("SIGTERM")
    expect((await ended).code).toBeNull()
    expect(performance.now() - startedMs).toBeLessThan(4_000)
    socket.destroy()
  })

  test("says in one line that the port is taken, and ends with 1", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    const address = taken.address()
    const port = typeof address === "object" ? String(address?.port) : ""
    const { code, stdout, stderr } = await petstore(["serve", "--memory", "--port", port])
    taken.close()
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toBe(
      `petstore: can't listen on 127.0.0.1, port ${port}: something listens there already; --port 0 picks a free port\n`
    )
  })
})
