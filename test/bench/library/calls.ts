/**
 * What one call of the direct API costs: in memory in microseconds, on a file as a multiple of the
 * bare statement, in turns.
 */
import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { ratio, type Spread, spread } from "../http/statistics.js"
import { interleave } from "../sqlite/rounds.js"
import {
  bareCreate,
  bareGet,
  CATEGORIES,
  emptyFile,
  fill,
  openBare,
  openStore,
  petOf
} from "../sqlite/stores.js"

const PETS = 10_000

/**
 * Rounds of calls in memory before any counts. V8 compiles for that long, on a thread that has the
 * same core where `taskset` is there, and what is asked for is what a call costs once that is done.
 */
const UNCOUNTED = 15

export type Calls = {
  readonly memoryGetMicros: Spread
  readonly memoryCreateMicros: Spread
  /** Each of the first {@link PETS} of a process, which V8 interprets, and compiles meanwhile. */
  readonly memoryFirstCreateMicros: number
  readonly fileGetRatio: Spread
  readonly fileCreateRatio: Spread
  /** The same of the first thousand creates of a process. */
  readonly fileFirstCreateRatio: Spread
  /** Without a sync, which is most of a durable create and the same for both. */
  readonly fileCreateUnsyncedRatio: Spread
}

const inMemory = async (rounds: number) => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  for (let category = 0; category < CATEGORIES; category++)
    store.direct.categories.create({ name: `Kind ${category}` })
  const calls = 2_000
  // Made before the clock starts: a name in no order costs 0.6 µs to make.
  const pets = Array.from({ length: PETS + calls * (rounds + UNCOUNTED) }, (_, number) =>
    petOf(number)
  )
  const startMs = performance.now()
  for (let pet = 0; pet < PETS; pet++) store.direct.pets.create(pets[pet] ?? petOf(pet))
  const memoryFirstCreateMicros = ((performance.now() - startMs) * 1_000) / PETS
  const found = await interleave(
    rounds,
    {
      get: { calls: 20_000, run: (call) => store.direct.pets.get(1 + ((call * 7_919) % PETS)) },
      create: {
        calls,
        run: (call) => store.direct.pets.create(pets[PETS + call] ?? petOf(PETS + call))
      }
    },
    UNCOUNTED
  )
  await store.close()
  return {
    memoryGetMicros: spread(found("get")),
    memoryCreateMicros: spread(found("create")),
    memoryFirstCreateMicros
  }
}

const gets = async (rounds: number, filename: string): Promise<Spread> => {
  await fill(filename, PETS)
  const store = await openStore({ filename })
  const file = openBare(filename, "full")
  const bare = bareGet(file)
  const idOf = (call: number) => 1 + ((call * 7_919) % PETS)
  const found = await interleave(rounds, {
    ours: { calls: 5_000, run: (call) => store.direct.pets.get(idOf(call)) },
    bare: { calls: 5_000, run: (call) => bare.get(idOf(call)) }
  })
  file.close()
  await store.close()
  return ratio(found("ours"), found("bare"))
}

/**
 * Rounds of synced creates in which the pet store's log grows: each of their syncs has the file's
 * new length written as well.
 */
const GROWING = 10

type Creates = {
  readonly ratio: Spread
  /** Of the rounds that did not count. */
  readonly firstRatio: Spread
}

const creates = async (
  { counted, first }: { readonly counted: number; readonly first: number },
  folder: string,
  durability: "full" | "relaxed"
): Promise<Creates> => {
  const store = await openStore({
    filename: await emptyFile(folder, `ours-${durability}.db`),
    durability
  })
  const file = openBare(await emptyFile(folder, `bare-${durability}.db`), durability)
  const insert = bareCreate(file)
  const calls = durability === "full" ? 100 : 1_000
  const works = {
    ours: { calls, run: (call: number) => store.direct.pets.create(petOf(call)) },
    bare: { calls, run: insert }
  }
  const found = await interleave(first + counted, works, 0)
  file.close()
  await store.close()
  const ratioOf = (from: number, to: number) =>
    ratio(found("ours").slice(from, to), found("bare").slice(from, to))
  return { ratio: ratioOf(first, first + counted), firstRatio: ratioOf(0, first) }
}

export const calls = async (folder: string, rounds: number): Promise<Calls> => {
  const memory = await inMemory(rounds)
  const fileGetRatio = await gets(rounds, `${folder}/gets.db`)
  const synced = await creates({ counted: rounds, first: GROWING }, folder, "full")
  const unsynced = await creates({ counted: rounds, first: 1 }, folder, "relaxed")
  return {
    ...memory,
    fileGetRatio,
    fileCreateRatio: synced.ratio,
    fileFirstCreateRatio: synced.firstRatio,
    fileCreateUnsyncedRatio: unsynced.ratio
  }
}
