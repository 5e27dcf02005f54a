import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { verify } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { makeMutator } from "./Mutator.js"

/**
 * PETSTORE_FUZZ says how many requests, PETSTORE_TEST_LONG=1 is 100,000; PETSTORE_FUZZ_SEED says
 * which.
 */
const LONG = process.env["PETSTORE_TEST_LONG"] === "1"
const REQUESTS = Number(process.env["PETSTORE_FUZZ"] ?? (LONG ? 100_000 : 3_000))
const SEED = Number(process.env["PETSTORE_FUZZ_SEED"] ?? 20_260_131)

/** Connections at a time. */
const ABREAST = 24

/** A connection from which nothing has come for so long has said all it has to. */
const QUIET_MS = 40

/** A server that has not closed a connection so long after its caller has, hangs. */
const HANG_MS = 6_000

type State = {
  readonly heapBytes: number
  readonly admitted: number
  readonly counted: number
  readonly connections: number
  readonly failures: ReadonlyArray<string>
  readonly statuses: Readonly<Record<string, number>>
}

const startVictim = async (filename: string) => {
  const program = fileURLToPath(new URL("../dist/fuzz/victim.js", import.meta.url))
  const child = spawn(process.execPath, ["--expose-gc", program, filename], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const hear = async <A>(): Promise<A> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error("the server has ended")
    return JSON.parse(value)
  }
  const { url, key } = await hear<{ readonly url: string; readonly key: string }>()
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const state = async (): Promise<State> => {
    child.stdin.write("state\n")
    return hear<State>()
  }
  const close = (): Promise<number | null> => {
    child.stdin.write("close\n")
    return ended
  }
  return { url, key, state, close }
}

type Ending = "wait" | "finish" | "destroy"

/**
 * Sends the pieces one after the other on a connection of its own; what comes back, and whether the
 * server let go of it.
 */
const exchange = (port: number, pieces: ReadonlyArray<Buffer>, ending: Ending): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true })
    let text = ""
    let quiet: NodeJS.Timeout | undefined
    const settle = () => {
      clearTimeout(quiet)
      clearTimeout(hanging)
      socket.destroy()
      resolve(text)
    }
    const hanging = setTimeout(() => {
      socket.destroy()
      reject(
        new Error(
          `the server hangs on ${JSON.stringify(Buffer.concat([...pieces]).toString("latin1"))}`
        )
      )
    }, HANG_MS)
    const listen = () => {
      if (ending !== "wait") return
      clearTimeout(quiet)
      quiet = setTimeout(settle, QUIET_MS)
    }
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1")
      listen()
    })
    socket.on("error", () => undefined)
    socket.on("close", settle)
    socket.on("connect", () => {
      const send = (at: number): void => {
        const piece = pieces[at]
        if (piece !== undefined) {
          socket.write(piece, () => setImmediate(() => send(at + 1)))
        } else if (ending === "finish") socket.end()
        else if (ending === "destroy") socket.destroy()
        else listen()
      }
      send(0)
    })
  })

const statusesIn = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/(?:^|[}\]\n])HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

test(
  `${REQUESTS} mutated requests, seed ${SEED}: no 5xx, no crash, no hang, no leak, exact counts, and a whole store`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "petstore-fuzz-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const filename = join(folder, "pets.db")
    const victim = await startVictim(filename)
    const port = Number(new URL(victim.url).port)
    const { random, next } = makeMutator(SEED, victim.key)

    let sent = 0
    const seen = new Map<number, number>()
    const wrong: Array<string> = []
    const oneConnection = async (): Promise<void> => {
      const requests = Array.from({ length: 1 + random.below(3) }, next)
      sent += requests.length
      const all = Buffer.concat(requests)
      const cut = random.below(all.length + 1)
      const pieces = random.below(3) === 0 ? [all.subarray(0, cut), all.subarray(cut)] : [all]
      const text = await exchange(port, pieces, random.pick(["wait", "wait", "finish", "destroy"]))
      for (const status of statusesIn(text)) {
        seen.set(status, (seen.get(status) ?? 0) + 1)
        if (status >= 500)
          wrong.push(`${status} to ${JSON.stringify(all.toString("latin1"))}: ${text}`)
      }
    }
    const rounds = async (until: number): Promise<void> => {
      const caller = async (): Promise<void> => {
        for (;;) {
          if (sent >= until || wrong.length > 0) return
          await oneConnection()
        }
      }
      await Promise.all(Array.from({ length: ABREAST }, caller))
    }

    await rounds(Math.max(2_500, REQUESTS / 4))
    const before = await victim.state()
    sent = 0
    await rounds(REQUESTS)
    const { href } = new URL("/health/live", victim.url)
    expect((await fetch(href)).status).toBe(200)
    const after = await victim.state()

    expect(wrong).toEqual([])
    expect(after.failures).toEqual([])
    expect(after.counted).toBe(after.admitted)
    expect(after.admitted).toBeGreaterThan(REQUESTS / 10)
    expect(after.connections).toBeLessThanOrEqual(1)
    expect(Object.keys(after.statuses)).toEqual(
      expect.arrayContaining(["200", "201", "400", "401", "404", "422"])
    )
    expect(after.heapBytes).toBeLessThan(before.heapBytes * 1.1)
    expect([...seen.keys()].filter((status) => status >= 500)).toEqual([])
    expect(await victim.close()).toBe(0)
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    if (process.env["PETSTORE_FUZZ"] !== undefined || LONG)
      console.log(SEED, after.statuses, before.heapBytes, after.heapBytes)
  },
  LONG ? 900_000 : 60_000 + REQUESTS * 10
)
