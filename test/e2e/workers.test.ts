import { createServer, get } from "node:http"
import { type AddressInfo } from "node:net"
import { join } from "node:path"
import { driverInfo, verify } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, served, start } from "./petstore.js"

const newFolder = folders()
const newFile = () => join(newFolder(), "pets.db")

afterEach(killAll)

type Line = {
  readonly event: string
  readonly worker?: number
  readonly pid?: number
  readonly operation?: string
}

/** The whole lines that were logged so far; throws where two got into each other. */
const linesOf = (stderr: string): ReadonlyArray<Line> =>
  stderr
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const pidsOf = (stderr: string): ReadonlyArray<number> =>
  linesOf(stderr).flatMap(({ pid }) => (pid === undefined ? [] : [pid]))

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) })
const put = (body: unknown): RequestInit => ({ method: "PUT", body: JSON.stringify(body) })

/** Bounds a hang, not a busy machine. */
const PATIENT = { timeout: 60_000 }

const findings = (filename: string) => Effect.runPromise(verify({ filename }))

describe("petstore serve --workers", { timeout: 180_000 }, () => {
  test("a thousand orders of one, on a stock of 500 and three workers, sell exactly 500", async () => {
    const db = newFile()
    const { call, output } = await served("--db", db, "--demo", "--workers", "3")
    await call("/store/inventory/1", put({ quantity: 500 }))
    const answers = await Promise.all(
      Array.from(
        { length: 1_000 },
        async () => (await call("/store/orders", post({ petId: 1 }))).status
      )
    )
    expect(answers.filter((status) => status === 201)).toHaveLength(500)
    expect(answers.filter((status) => status === 409)).toHaveLength(500)
    expect(await (await call("/store/inventory/1")).json()).toMatchObject({ quantity: 0 })
    expect(await findings(db)).toEqual([])
    const placed = linesOf(output.stderr).filter(({ operation }) => operation === "placeOrder")
    expect(new Set(placed.map(({ worker }) => worker))).toEqual(new Set([1, 2, 3]))
  })

  test("a free key has 60 requests a minute, whichever workers they meet", async () => {
    const db = newFile()
    const { call } = await served("--db", db, "--demo", "--quiet", "--workers", "3")
    const { key } = await petstoreJson<{ readonly key: string }>(
      "keys",
      "create",
      "--plan",
      "free",
      "--db",
      db
    )
    const windows = new Map<string, { let: number; refused: number }>()
    const ask = async () => {
      const { status, headers } = await call("/pets/1", {}, key)
      const reset = headers.get("x-ratelimit-reset") ?? ""
      const window = windows.get(reset) ?? { let: 0, refused: 0 }
      windows.set(reset, window)
      if (status === 200) window.let++
      else if (status === 429) window.refused++
    }
    // A minute may end in between: the refusal shows which one was used up.
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 15 }, ask))
    const usedUp = [...windows.values()].filter(({ refused }) => refused > 0)
    expect(usedUp.length).toBeGreaterThan(0)
    expect(usedUp.map((window) => window.let)).toEqual(usedUp.map(() => 60))
  })

  test("a key that is revoked, and a request that is sent again, are the same to every worker", async () => {
    const db = newFile()
    const { call, url } = await served("--db", db, "--demo", "--quiet", "--workers", "3")
    const made = await petstoreJson<{ readonly key: string; readonly id: number }>(
      "keys",
      "create",
      "--plan",
      "pro",
      "--db",
      db
    )
    const again = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const headers = {
          "idempotency-key": "once",
          "content-type": "application/json",
          "x-api-key": made.key
        }
        return (await fetch(`${url}/pets`, { ...post({ name: "Once", categoryId: 1 }), headers }))
          .status
      })
    )
    expect(new Set(again.filter((status) => status !== 409))).toEqual(new Set([201]))
    const found: ReadonlyArray<unknown> = JSON.parse(await (await call("/pets?name=once")).text())
    expect(found).toHaveLength(1)
    await petstoreJson("keys", "revoke", String(made.id), "--db", db)
    const after = await Promise.all(
      Array.from({ length: 9 }, async () => (await call("/pets/1", {}, made.key)).status)
    )
    expect(new Set(after)).toEqual(new Set([401]))
  })

  test("a worker that is killed under load is replaced, while the others go on", async () => {
    const db = newFile()
    const { call, output } = await served("--db", db, "--demo", "--workers", "3")
    const before = pidsOf(output.stderr)
    expect(before).toHaveLength(3)
    let stopped = false
    let placed = 0
    const caller = async () => {
      for (;;) {
        if (stopped) return
        try {
          if ((await call("/store/orders", post({}))).status === 201) placed++
        } catch {
          // Its worker was killed meanwhile.
        }
      }
    }
    const callers = Array.from({ length: 12 }, caller)
    await vi.waitUntil(() => placed > 50, PATIENT)
    process.kill(before[1] ?? 0, "SIGKILL")
    const soon = placed
    await vi.waitUntil(() => placed > soon + 100 && pidsOf(output.stderr).length === 4, PATIENT)
    stopped = true
    await Promise.all(callers)
    const ended = linesOf(output.stderr).find(({ event }) => event === "worker_ended")
    expect(ended).toMatchObject({ level: "error", error: "was ended by SIGKILL" })
    expect(await findings(db)).toEqual([])
    const metrics = await (await call("/metrics")).text()
    expect(metrics).toContain("\npetstore_workers 3\n")
    const { driver, sqliteVersion } = await Effect.runPromise(driverInfo())
    expect(metrics).toContain(
      `petstore_build_info{version="0.1.0",runtime="node ${process.versions.node}",driver="${driver}",sqlite="${sqliteVersion}",worker="1"} 1\n`
    )
    expect(metrics).toContain("\npetstore_workers_replaced_total 1\n")
    for (const worker of [1, 2, 3]) {
      expect(metrics).toContain(`process_cpu_seconds_total{worker="${worker}"}`)
    }
  })

  test("a connection that was on its way to a worker when it died is closed, so that its caller need not wait", async () => {
    const { output, url } = await served("--db", newFile(), "--demo", "--workers", "2")
    const [, halted = 0] = pidsOf(output.stderr)
    process.kill(halted, "SIGSTOP")
    let answered = 0
    const asked = Array.from(
      { length: 4 },
      () =>
        new Promise<string>((resolve) => {
          const request = get(`${url}/health/live`, { agent: false }, (response) => {
            answered++
            response.resume().on("end", () => resolve("answered"))
          })
          request.on("error", () => resolve("closed"))
        })
    )
    await vi.waitUntil(() => answered === 3, PATIENT)
    process.kill(halted, "SIGKILL")
    expect((await Promise.all(asked)).toSorted()).toEqual([
      "answered",
      "answered",
      "answered",
      "closed"
    ])
  })

  test("on a port that the system chose, the server keeps it when all workers die at once", async () => {
    const { call, output } = await served("--db", newFile(), "--demo", "--workers", "2")
    for (const pid of pidsOf(output.stderr)) process.kill(pid, "SIGKILL")
    await vi.waitUntil(() => pidsOf(output.stderr).length === 4, PATIENT)
    expect((await call("/pets/1")).status).toBe(200)
  })

  test("on SIGTERM all workers finish what is running, and the server ends with 0", async () => {
    const db = newFile()
    const { child, ended, call, output } = await served("--db", db, "--demo", "--workers", "3")
    const pids = pidsOf(output.stderr)
    let placed = 0
    const refused: Array<number> = []
    let stopped = false
    const caller = async () => {
      for (;;) {
        if (stopped) return
        try {
          const { status } = await call("/store/orders", post({}))
          if (status === 201) placed++
          else refused.push(status)
        } catch {
          return
        }
      }
    }
    const callers = Array.from({ length: 12 }, caller)
    await vi.waitUntil(() => placed > 50, PATIENT)
    child.kill("SIGTERM")
    const { code, stderr } = await ended
    stopped = true
    await Promise.all(callers)
    expect(code).toBe(0)
    expect(refused.filter((status) => status !== 503)).toEqual([])
    expect(linesOf(stderr).filter(({ event }) => event === "worker_ended")).toEqual([])
    expect(pids.filter(isAlive)).toEqual([])
    expect(await findings(db)).toEqual([])
  })

  test("a second signal ends all at once, and so does the end of the first process", async () => {
    const { child, ended, output, url } = await served(
      "--db",
      newFile(),
      "--demo",
      "--workers",
      "2"
    )
    const pids = pidsOf(output.stderr)
    // A request that never ends keeps a worker from finishing.
    const held = fetch(`${url}/pets`, {
      method: "POST",
      duplex: "half",
      headers: { "content-type": "application/json" },
      body: new ReadableStream({ pull: () => new Promise(() => undefined) })
    }).catch(() => undefined)
    child.kill("SIGINT")
    await vi.waitUntil(async () => {
      child.kill("SIGINT")
      return !pids.some(isAlive)
    }, PATIENT)
    await Promise.all([held, ended])
    expect(child.signalCode).toBe("SIGINT")
  })

  test("what keeps a worker from listening fails the command, with one line that says so", async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const started = start(["serve", "--db", newFile(), "--port", String(port), "--workers", "2"])
    const { code, stdout, stderr } = await started.ended
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toBe(
      `petstore: can't listen on 127.0.0.1, port ${port}: something listens there already; --port 0 picks a free port\n`
    )
  })

  test("a store in memory can't be shared, and no number is taken that is none", async () => {
    const memory = await petstore(["serve", "--memory", "--workers", "2"])
    expect([memory.code, memory.stderr]).toEqual([
      2,
      "petstore: --memory and --workers exclude each other: several processes can share a store only in a file\n"
    ])
    for (const workers of ["0", "65", "1.5", "many"]) {
      const { code, stderr } = await petstore(["serve", "--workers", workers])
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("--workers: expected a whole number from 1 to 64, or auto")
      ])
    }
  })
})
