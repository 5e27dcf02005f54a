/**
 * `npm run bench -- admission`: what the authenticator costs a request, what a live caller weighs,
 * and what it takes from a durable file that an account of each plan uses its minutes up. Each
 * scenario runs in a process of its own; times are processor time but where they say wall. An
 * argument replaces the 100,000 live callers.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type OpenPetStore, PetStore, SPECIFIED_PLANS, Usage } from "@petstore/core"
import type { PresentedCredentials } from "@petstore/core/adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { Context, Layer } from "effect"

const [scenario, callers = scenario] = process.argv.slice(2)
const LIVE = Number(/^\d+$/.test(callers ?? "") ? callers : 100_000)
const SLICE = 1_000
const NOW_MS = Date.UTC(2026, 0, 31, 12)
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const heapMiB = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

/** Lets each ask once; at most 4,096 answers are waited for at a time. */
const askEach = async (
  { engine }: OpenPetStore,
  asking: Iterable<PresentedCredentials>,
  nowMs: number
): Promise<void> => {
  const later: Array<Promise<unknown>> = []
  for (const presented of asking) {
    const admission = engine.authenticator.admit(presented, nowMs)
    if (admission instanceof Promise) later.push(admission)
    if (later.length >= 4_096) await Promise.all(later.splice(0))
  }
  await Promise.all(later)
}

/**
 * Microseconds a request: the median over slices of a thousand callers, none of whom comes twice.
 */
const microsOf = async (
  store: OpenPetStore,
  asking: ReadonlyArray<PresentedCredentials>,
  nowMs: number
): Promise<number> => {
  const found: Array<number> = []
  for (let at = 0; at < asking.length; at += SLICE) {
    const slice = asking.slice(at, at + SLICE)
    const before = process.cpuUsage()
    await askEach(store, slice, nowMs)
    const { user, system } = process.cpuUsage(before)
    found.push((user + system) / slice.length)
  }
  return median(found)
}

/** In an order that has nothing to do with that in which they were made, the same in every run. */
const scattered = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values
    .map((value, at) => ({ value, place: (at * 48_271) % 2_147_483_647 }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ value }) => value)

type Storage = Parameters<typeof PetStore.open>[0]["storage"]

const accounts = async (storage: Storage) => {
  const store = await PetStore.open({ storage })
  const keys: Array<string> = []
  while (keys.length < LIVE) {
    const some = Array.from({ length: Math.min(SLICE, LIVE - keys.length) }, async () => {
      const { id } = await store.accounts.create({
        plan: "enterprise",
        perMinute: 10 ** 9,
        perDay: 10 ** 12
      })
      return (await store.keys.create(id)).key
    })
    keys.push(...(await Promise.all(some)))
  }
  const asking = scattered(keys).map((key) => ({
    apiKey: [key],
    authorization: [],
    address: "192.0.2.1"
  }))
  const before = heapMiB()
  // So often that blocks have grown, as they have for callers that keep coming.
  for (let round = 0; round < 9; round++) await askEach(store, asking, NOW_MS)
  const bytes = ((heapMiB() - before) * 2 ** 20) / LIVE
  const micros = await microsOf(store, asking, NOW_MS)
  const first = await microsOf(store, asking, NOW_MS + MINUTE_MS)
  await store.close()
  return { µs: micros, "µs, first of a minute": first, "bytes each": bytes }
}

const addresses = async (addressOf: (nth: number) => string) => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  function* some(count: number): Generator<PresentedCredentials> {
    for (let nth = 0; nth < count; nth++)
      yield { apiKey: [], authorization: [], address: addressOf(nth) }
  }
  const asking = scattered([...some(LIVE)])
  const base = heapMiB()
  await askEach(store, asking, NOW_MS)
  const bytes = ((heapMiB() - base) * 2 ** 20) / LIVE
  const micros = await microsOf(store, asking, NOW_MS)
  await askEach(store, some(1_000_000), NOW_MS)
  const flooded = heapMiB() - base
  await askEach(store, some(1), NOW_MS + DAY_MS)
  const after = heapMiB() - base
  await store.close()
  return {
    µs: micros,
    "bytes each": bytes,
    "MiB after 1,000,000": flooded,
    "MiB after the day": after
  }
}

const aFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-bench-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "pets.db")
}

const inFile = () => accounts(SqliteStorage.layer({ filename: aFile(), durability: "relaxed" }))

/**
 * One account that uses up each of ten minutes, one request after the other, alone on a file whose
 * every commit is synced.
 */
const plan = async (name: "free" | "pro" | "business") => {
  let questions = 0
  const storage = Layer.map(SqliteStorage.layer({ filename: aFile() }), (context) => {
    const usage = Context.get(context, Usage)
    return Context.add(context, Usage, {
      modify: (key, decide) => {
        questions++
        return usage.modify(key, decide)
      }
    })
  })
  const store = await PetStore.open({ storage })
  const { id } = await store.accounts.create({ plan: name })
  const { key } = await store.keys.create(id)
  const presented = { apiKey: [key], authorization: [], address: "192.0.2.1" }
  const { perMinute } = SPECIFIED_PLANS[name]
  const minutes = 10
  const startedMs = performance.now()
  const before = process.cpuUsage()
  for (let minute = 0; minute < minutes; minute++) {
    for (let request = 0; request < perMinute; request++) {
      const admission = await store.engine.authenticator.admit(
        presented,
        NOW_MS + minute * MINUTE_MS
      )
      if (!admission.admitted) throw admission.refusal
    }
  }
  const { user, system } = process.cpuUsage(before)
  const wallMs = performance.now() - startedMs
  await store.close()
  const requests = minutes * perMinute
  return {
    µs: (user + system) / requests,
    "µs wall": (1_000 * wallMs) / requests,
    "requests a minute": perMinute,
    "questions a minute": questions / minutes
  }
}

const byte = (nth: number, shift: number): number => (nth >> shift) & 255

const SCENARIOS: Readonly<Record<string, () => Promise<Readonly<Record<string, number>>>>> = {
  "accounts, in memory": () => accounts(MemoryStorage.layer),
  "accounts, in a file": inFile,
  "free, in a durable file": () => plan("free"),
  "pro, in a durable file": () => plan("pro"),
  "business, in a durable file": () => plan("business"),
  "IPv4 addresses": () =>
    addresses((nth) => `${10 + byte(nth, 24)}.${byte(nth, 16)}.${byte(nth, 8)}.${byte(nth, 0)}`),
  "IPv6 networks": () =>
    addresses((nth) => `2001:db8:${(nth >> 16).toString(16)}:${(nth & 0xffff).toString(16)}::1`)
}

const run = SCENARIOS[scenario ?? ""]
if (run !== undefined) console.log(JSON.stringify(await run()))
else {
  const program = [...process.execArgv, "--expose-gc", fileURLToPath(import.meta.url)]
  const found = Object.keys(SCENARIOS).map((name) => {
    const told: Readonly<Record<string, number>> = JSON.parse(
      execFileSync(process.execPath, [...program, name, String(LIVE)], { encoding: "utf8" })
    )
    return [
      name,
      Object.fromEntries(Object.entries(told).map(([what, value]) => [what, value.toFixed(1)]))
    ]
  })
  console.log(`Node ${process.version}, ${LIVE} live callers`)
  console.table(Object.fromEntries(found))
}
