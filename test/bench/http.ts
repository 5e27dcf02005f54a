/**
 * `npm run bench`: the pet store over HTTP beside the same service on Fastify and on bare node:http, all in memory. Servers
 * run on one core and the load on another where `taskset` is there; rounds are interleaved, figures are medians.
 * `--quick` for shorter rounds, `--json` for programs.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { type Load, load } from "./load/load.js"

const quick = process.argv.includes("--quick")
const json = process.argv.includes("--json")
const ROUNDS = quick ? 3 : 7
const SECONDS = quick ? 1 : 2.5
const CONNECTIONS = 32
const PEERS = ["petstore", "fastify", "bare"] as const

type Peer = (typeof PEERS)[number]
type Running = { readonly child: ChildProcess; readonly port: number; readonly key: string }

const canPin = (() => {
  try {
    execFileSync("taskset", ["-c", "0", "true"], { stdio: "ignore" })
    execFileSync("taskset", ["-pc", "1", String(process.pid)], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

const start = async (peer: Peer): Promise<Running> => {
  const program = [process.execPath, fileURLToPath(new URL(`./peers/${peer}.js`, import.meta.url))]
  const [command = process.execPath, ...args] = canPin ? ["taskset", "-c", "0", ...program] : program
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
  for await (const line of createInterface({ input: child.stdout })) {
    const { port, key }: { port: number; key: string } = JSON.parse(line)
    return { child, port, key }
  }
  throw new Error(`${peer} ended before it listened`)
}

const body = JSON.stringify({ name: "Rex the dog", categoryId: 1, status: "available" })

const WORK = {
  "GET /pets/{petId}": {
    expected: 200,
    request: (key: string) => (nth: number) =>
      `GET /pets/${(nth % 1_000) + 1} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`
  },
  "POST /pets": {
    expected: 201,
    request: (key: string) => () =>
      `POST /pets HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Processor time a server has used so far, in microseconds; 0 where the system does not tell. */
const cpuMicros = ({ child }: Running): number => {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return 0
  }
}

const running = new Map<Peer, Running>()
for (const peer of PEERS) running.set(peer, await start(peer))

const results: Array<Record<string, unknown>> = []
for (const [work, { expected, request }] of Object.entries(WORK)) {
  const seen = new Map<Peer, Array<Load & { readonly cpu: number }>>(PEERS.map((peer) => [peer, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const [peer, server] of running) {
      const { port, key } = server
      const before = cpuMicros(server)
      const one = await load({
        port,
        connections: CONNECTIONS,
        seconds: SECONDS,
        request: request(key),
        expected
      })
      if (one.unexpected > 0)
        throw new Error(`${peer} answered ${one.unexpected} times with something else than ${expected}`)
      const cpu = (cpuMicros(server) - before) / (one.requestsPerSecond * SECONDS)
      if (round >= 0) seen.get(peer)?.push({ ...one, cpu })
      if (!json) process.stderr.write(".")
    }
  }
  const rates = (peer: Peer) => (seen.get(peer) ?? []).map(({ requestsPerSecond }) => requestsPerSecond)
  const ratio = (peer: Peer) =>
    median(rates("petstore").map((rate, round) => rate / (rates(peer)[round] ?? Number.NaN)))
  results.push({
    work,
    ...Object.fromEntries(PEERS.map((peer) => [`${peer} req/s`, Math.round(median(rates(peer)))])),
    "× Fastify": ratio("fastify").toFixed(2),
    "× bare": ratio("bare").toFixed(2),
    ...Object.fromEntries(
      PEERS.map((peer) => [`${peer} µs CPU`, median((seen.get(peer) ?? []).map(({ cpu }) => cpu)).toFixed(1)])
    ),
    ...Object.fromEntries(
      PEERS.map((peer) => [
        `${peer} p99 ms`,
        median((seen.get(peer) ?? []).map(({ p99Ms }) => p99Ms)).toFixed(2)
      ])
    )
  })
}
for (const { child } of running.values()) child.kill()

if (json) console.log(JSON.stringify(results))
else {
  process.stderr.write("\n")
  console.log(
    `Node ${process.version}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, ${canPin ? "server and load on a core each" : "not pinned"}`
  )
  console.table(results)
}
