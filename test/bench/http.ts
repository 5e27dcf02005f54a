/**
 * `npm run bench`: the pet store over HTTP beside the same service on Fastify and on bare node:http, in memory and on a file.
 * Servers run on one core and the load on another where `taskset` is there; rounds are interleaved, figures are medians.
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
type Peer = "petstore" | "fastify" | "bare"
type Storage = "memory" | "file"
type Running = { readonly child: ChildProcess; readonly port: number; readonly key: string }

/** Who serves what: bare node:http has no storage of its own. */
const PEERS: Readonly<Record<Storage, ReadonlyArray<Peer>>> = {
  memory: ["petstore", "fastify", "bare"],
  file: ["petstore", "fastify"]
}

const canPin = (() => {
  try {
    execFileSync("taskset", ["-c", "0", "true"], { stdio: "ignore" })
    execFileSync("taskset", ["-pc", "1", String(process.pid)], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

const start = async (peer: Peer, storage: Storage): Promise<Running> => {
  const program = [process.execPath, fileURLToPath(new URL(`./peers/${peer}.js`, import.meta.url)), storage]
  const [command = process.execPath, ...args] = canPin ? ["taskset", "-c", "0", ...program] : program
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
  for await (const line of createInterface({ input: child.stdout })) {
    const { port, key }: { port: number; key: string } = JSON.parse(line)
    return { child, port, key }
  }
  throw new Error(`${peer} ended before it listened`)
}

const body = JSON.stringify({ name: "Rex the dog", categoryId: 1, status: "available" })

type Work = {
  readonly name: string
  readonly storage: Storage
  readonly expected: number
  readonly request: (key: string) => (nth: number) => string
}

const getPet = (key: string) => (nth: number) =>
  `GET /pets/${(nth % 1_000) + 1} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`

const postPet = (key: string) => () =>
  `POST /pets HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const WORK: ReadonlyArray<Work> = [
  { name: "GET /pets/{petId}", storage: "memory", expected: 200, request: getPet },
  { name: "POST /pets", storage: "memory", expected: 201, request: postPet },
  { name: "GET /pets/{petId}", storage: "file", expected: 200, request: getPet },
  { name: "POST /pets", storage: "file", expected: 201, request: postPet }
]

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

type Round = Load & { readonly cpu: number }

const results: Array<Record<string, unknown>> = []

/** Interleaved rounds of one kind of work; every peer is held against the pet store round by round. */
const measure = async ({ name, storage, expected, request }: Work, servers: ReadonlyMap<Peer, Running>) => {
  const seen = new Map<Peer, Array<Round>>([...servers.keys()].map((peer) => [peer, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const [peer, server] of servers) {
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
  const own = seen.get("petstore") ?? []
  for (const [peer, rounds] of seen) {
    const of = (figure: (round: Round) => number) => median(rounds.map(figure))
    const ratio = (figure: (one: Round, other: Round) => number) =>
      median(
        own.flatMap((one, round) => rounds.slice(round, round + 1).map((other) => figure(one, other)))
      ).toFixed(2)
    results.push({
      work: name,
      storage,
      server: peer,
      "requests/s": Math.round(of(({ requestsPerSecond }) => requestsPerSecond)),
      "petstore ÷ it": ratio((one, other) => one.requestsPerSecond / other.requestsPerSecond),
      "µs CPU": of(({ cpu }) => cpu).toFixed(1),
      "its CPU ÷ petstore's": ratio((one, other) => other.cpu / one.cpu),
      "p50 ms": of(({ p50Ms }) => p50Ms).toFixed(2),
      "p99 ms": of(({ p99Ms }) => p99Ms).toFixed(2)
    })
  }
}

for (const storage of ["memory", "file"] as const) {
  const servers = new Map<Peer, Running>()
  for (const peer of PEERS[storage]) servers.set(peer, await start(peer, storage))
  for (const work of WORK) if (work.storage === storage) await measure(work, servers)
  for (const { child } of servers.values()) child.kill()
}

if (json) console.log(JSON.stringify(results))
else {
  process.stderr.write("\n")
  console.log(
    `Node ${process.version}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, ${canPin ? "server and load on a core each" : "not pinned"}`
  )
  console.table(results)
}
