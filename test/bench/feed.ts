/**
 * What the feed costs and carries: creates with it and without it, over memory one after the other and over a file that syncs each
 * commit with 64 at once, in alternating rounds; and how many changes a second one reader in process is told. Medians of CPU time.
 */
import { rmSync } from "node:fs"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  DirectStorage,
  type OpenPetStore,
  PetStore,
  type Program,
  Storage,
  type StorageLayer
} from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { Context, Layer } from "effect"

const CONCURRENT = 64
const ROUNDS = 15

/** The program, whose appended changes are answered here and never reach the storage. */
const withoutFeed =
  <A, E>(start: () => Program<A, E>) =>
  (): Program<A, E> => {
    const program = start()
    const next = program.next.bind(program)
    program.next = (...sent: [] | [unknown]) => {
      let step = next(...sent)
      while (step.done !== true && step.value.op === "insert" && step.value.collection.name === "changes")
        step = next({ id: 1 })
      return step
    }
    return program
  }

const dropping = (layer: StorageLayer): StorageLayer =>
  Layer.map(layer, (ports) => {
    const storage = Context.get(ports, Storage)
    const direct = Context.unsafeGet(ports, DirectStorage)
    return Context.add(ports, Storage, {
      ...storage,
      write: (program) => storage.write(withoutFeed(program))
    }).pipe(
      Context.add(DirectStorage, {
        ...direct,
        write: (program) => direct.write(withoutFeed(program)),
        submit: (program) => direct.submit(withoutFeed(program))
      })
    )
  })

const open = async (storage: StorageLayer): Promise<OpenPetStore> => {
  const store = await PetStore.open({ storage, changeRetention: { count: 5_000, ageMs: Infinity } })
  await store.categories.create({ name: "Fish" })
  return store
}

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0

/** CPU time of this process that one of `count` takes, in microseconds. */
const cpuOf = async (count: number, run: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
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
  for (let number = 0; number < count; number++) direct.pets.create({ name: "Goldie", categoryId: 1 })
}

const compare = async (
  name: string,
  count: number,
  layer: () => StorageLayer,
  run: (store: OpenPetStore, count: number) => unknown
): Promise<void> => {
  const [feed, none] = [await open(layer()), await open(dropping(layer()))]
  const times = { feed: [] as Array<number>, none: [] as Array<number>, wall: [] as Array<number> }
  for (let round = -2; round < ROUNDS; round++) {
    const without = await cpuOf(count, () => run(none, count))
    const withIt = await cpuOf(count, () => run(feed, count))
    if (round < 0) continue
    times.none.push(without)
    times.feed.push(withIt)
  }
  await Promise.all([feed.close(), none.close()])
  const ratio = median(times.feed.map((time, round) => time / (times.none[round] ?? 1)))
  console.log(
    `${name}: ${median(times.none).toFixed(2)} µs without the feed, ${median(times.feed).toFixed(2)} µs with it, ratio ${ratio.toFixed(2)}`
  )
}

/** How long one reader takes to be told of `count` changes while they are made. */
const carry = async (name: string, count: number, layer: StorageLayer): Promise<void> => {
  const store = await open(layer)
  const reader = store.changes()
  const startedMs = performance.now()
  const writing = createAtOnce(store, count)
  for (let told = 0; told < count; told++) await reader.next()
  const seconds = (performance.now() - startedMs) / 1_000
  await writing
  await store.close()
  console.log(`${name}: one reader was told ${Math.round(count / seconds)} changes/s while they were made`)
}

const folder = mkdtempSync(join(tmpdir(), "petstore-feed-"))
let files = 0
const file = () => SqliteStorage.layer({ filename: join(folder, `${++files}.db`) })
try {
  await compare("create over memory, directly", 20_000, () => MemoryStorage.layer, createDirectly)
  await compare("create over a file, durable, 64 at once", 6_400, file, createAtOnce)
  await carry("memory", 50_000, MemoryStorage.layer)
  await carry("file", 20_000, file())
} finally {
  rmSync(folder, { recursive: true })
}
