/**
 * What the feed costs and carries: creates with it and without it, over memory one after the other,
 * over a file that syncs each commit with 64 at once, and both over HTTP, in alternating rounds, as
 * medians; and how many changes a second one reader in process is told.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import {
  DirectStorage,
  type OpenPetStore,
  PetStore,
  Storage,
  type StorageLayer
} from "@petstore/core"
import { type Program, withDefaultCapabilities } from "@petstore/core/storage"
import { serve } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { Context, Layer } from "effect"

const CONCURRENT = 64
const ROUNDS = 15

/**
 * The program, whose appended changes are answered here and never reach the storage where they are
 * dropped. With the feed it goes the same way, which costs as much as the feed does in memory.
 */
const through =
  (drops: boolean) =>
  <A, E>(start: () => Program<A, E>) =>
  (): Program<A, E> => {
    const dropped = drops ? "changes" : undefined
    const program = start()
    const next = program.next.bind(program)
    program.next = (...sent: [] | [unknown]) => {
      let step = next(...sent)
      while (
        step.done !== true &&
        step.value.op === "insert" &&
        dropped === step.value.collection.name
      )
        step = next(1)
      return step
    }
    return program
  }

const feeding = (drops: boolean, layer: StorageLayer): StorageLayer =>
  Layer.map(layer, (ports) => {
    const passed = through(drops)
    const storage = Context.get(ports, Storage)
    const direct = withDefaultCapabilities(Context.unsafeGet(ports, DirectStorage))
    return Context.add(ports, Storage, {
      ...storage,
      write: (program) => storage.write(passed(program))
    }).pipe(
      Context.add(DirectStorage, {
        ...direct,
        write: (program) => direct.write(passed(program)),
        submit: (program) => direct.submit(passed(program))
      })
    )
  })

/**
 * Few are kept in most rounds, so that each write makes room for its own as in a store that has
 * been written for long.
 */
const open = async (storage: StorageLayer, count = 5_000): Promise<OpenPetStore> => {
  const store = await PetStore.open({ storage, changeRetention: { count, ageMs: Infinity } })
  await store.categories.create({ name: "Fish" })
  return store
}

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0

type Taken = { readonly cpu: number; readonly wall: number }
type Round = readonly [without: Taken, withIt: Taken]

/** What one of `count` takes of this process's CPU time, and until it is there, in microseconds. */
const taken = async (count: number, run: () => unknown): Promise<Taken> => {
  const [before, startedMs] = [process.cpuUsage(), performance.now()]
  await run()
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / count, wall: ((performance.now() - startedMs) * 1_000) / count }
}

const createAtOnce = async (store: OpenPetStore, count: number): Promise<void> => {
  let left = count
  const one = async () => {
    while (left-- > 0) await store.pets.create({ name: "Goldie", categoryId: 1 })
  }
  await Promise.all(Array.from({ length: CONCURRENT }, one))
}

const createDirectly = (store: OpenPetStore, count: number): void => {
  const { direct } = store
  for (let number = 0; number < count; number++)
    direct.pets.create({ name: "Goldie", categoryId: 1 })
}

const compare = async (
  name: string,
  count: number,
  layer: () => StorageLayer,
  run: (store: OpenPetStore, count: number) => unknown
): Promise<void> => {
  const [feed, none] = [await open(feeding(false, layer())), await open(feeding(true, layer()))]
  const rounds: Array<Round> = []
  for (let round = -2; round < ROUNDS; round++) {
    const without = await taken(count, () => run(none, count))
    const withIt = await taken(count, () => run(feed, count))
    if (round >= 0) rounds.push([without, withIt])
  }
  await Promise.all([feed.close(), none.close()])
  report(name, rounds)
}

/**
 * The same over HTTP: the load comes from a process of its own, so the CPU time is the server's.
 */
const compareServed = async (name: string, layer: () => StorageLayer): Promise<void> => {
  const [none, feed] = [
    await serveShop(feeding(true, layer())),
    await serveShop(feeding(false, layer()))
  ]
  const rounds: Array<Round> = []
  for (let round = -1; round < 9; round++) {
    const both = [await none.post(1), await feed.post(1)] as const
    if (round >= 0) rounds.push(both)
  }
  await none.close()
  await feed.close()
  report(name, rounds)
}

const serveShop = async (layer: StorageLayer) => {
  const store = await open(layer)
  const { id } = await store.accounts.create({ plan: "enterprise", perMinute: 1e9, perDay: 1e12 })
  const { key } = await store.keys.create(id)
  const { url, close } = await serve(store, { host: "127.0.0.1", port: 0, metrics: false })
  const program = fileURLToPath(new URL("feed/post.js", import.meta.url))
  return {
    post: async (seconds: number): Promise<Taken> => {
      const before = process.cpuUsage()
      const args = [program, new URL(url).port, key, String(seconds)]
      const made = Number((await promisify(execFile)(process.execPath, args)).stdout)
      const { user, system } = process.cpuUsage(before)
      return { cpu: (user + system) / made, wall: (seconds * 1e6) / made }
    },
    close: async () => {
      await close()
      await store.close()
    }
  }
}

const report = (name: string, rounds: ReadonlyArray<Round>): void => {
  for (const kind of ["cpu", "wall"] as const) {
    const without = median(rounds.map(([each]) => each[kind]))
    const withIt = median(rounds.map(([, each]) => each[kind]))
    const ratio = median(rounds.map(([left, right]) => right[kind] / left[kind]))
    console.log(
      `${name}, ${kind}: ${without.toFixed(2)} µs without the feed, ${withIt.toFixed(2)} µs ` +
        `with it, ratio ${ratio.toFixed(2)}`
    )
  }
}

/** The time until one reader has `count` changes, while they are made. */
const carry = async (name: string, count: number, layer: StorageLayer): Promise<void> => {
  const store = await open(layer, 100_000)
  const reader = store.changes()
  const startedMs = performance.now()
  const writing = createAtOnce(store, count)
  for (let told = 0; told < count; told++) await reader.next()
  const seconds = (performance.now() - startedMs) / 1_000
  await writing
  await store.close()
  console.log(
    `${name}: one reader was told ${Math.round(count / seconds)} changes/s while they were made`
  )
}

/**
 * How long a history takes that is looked for among `count` changes, in a store that keeps so many.
 */
const lookBack = async (name: string, count: number, layer: StorageLayer): Promise<void> => {
  const store = await open(layer, count)
  await store.transact(function* (tx) {
    for (let number = 0; number < count; number++)
      yield* tx.pets.create({ name: "Goldie", categoryId: 1 })
  })
  const millis: Array<number> = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now()
    await store.changes.history("pet", 1)
    millis.push(performance.now() - startedMs)
  }
  await store.close()
  console.log(
    `${name}: the history of a record among ${count} changes takes ${median(millis).toFixed(1)} ms`
  )
}

const folder = mkdtempSync(join(tmpdir(), "petstore-feed-"))
let files = 0
const file = () => SqliteStorage.layer({ filename: join(folder, `${++files}.db`) })
try {
  await compare("create over memory, directly", 20_000, () => MemoryStorage.layer, createDirectly)
  await compare("create over a file, durable, 64 at once", 6_400, file, createAtOnce)
  await compareServed("POST /pets over memory, 64 connections", () => MemoryStorage.layer)
  await compareServed("POST /pets over a file, durable, 64 connections", file)
  await carry("memory", 50_000, MemoryStorage.layer)
  await carry("file", 20_000, file())
  await lookBack("memory", 100_000, MemoryStorage.layer)
  await lookBack("file", 100_000, file())
} finally {
  rmSync(folder, { recursive: true })
}
