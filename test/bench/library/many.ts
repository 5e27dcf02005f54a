/**
 * A store with very many pets: how fast they are put in through the library, what they weigh, and
 * what a page of them costs.
 */
import { statSync } from "node:fs"
import { type OpenPetStore, PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { ratio, type Spread, spread } from "../http/statistics.js"
import type { Storage } from "../peers/Peer.js"
import { interleave } from "../sqlite/rounds.js"
import { put } from "../sqlite/stores.js"
import { heapBytes } from "./heapBytes.js"

const FEW = 1_000
const PLACES = 64

/**
 * Rounds of pages before any counts: what is asked for is what a page costs once V8 has compiled
 * it.
 */
const UNCOUNTED = 15

export type Many = {
  readonly pets: number
  readonly petsPerSecond: number
  /**
   * Of the heap for storage in memory, of the closed file for storage on one; MB of a million
   * bytes.
   */
  readonly mb: number
  readonly residentMb: number
  /** A page of 50 by status, anywhere in the list. */
  readonly pageMicros: Spread
  /** Divided by what it costs in a store of a thousand. */
  readonly pageRatio: Spread
}

const open = (storage: Storage, filename: string): Promise<OpenPetStore> =>
  PetStore.open({
    storage: storage === "file" ? SqliteStorage.layer({ filename }) : MemoryStorage.layer
  })

/** Cursors of pages all over the list. */
const placesIn = (store: OpenPetStore): ReadonlyArray<string> => {
  const cursors: Array<string> = []
  for (let cursor: string | undefined; ;) {
    const { next } = store.direct.pets.list({
      status: "available",
      limit: 100,
      ...(cursor === undefined ? {} : { cursor })
    })
    if (next === undefined) break
    cursors.push(next)
    cursor = next
  }
  const step = Math.max(1, Math.floor(cursors.length / PLACES))
  return cursors.filter((_, nth) => nth % step === 0)
}

const pages = (store: OpenPetStore, places: ReadonlyArray<string>) => ({
  calls: 200,
  run: (call: number) =>
    store.direct.pets.list({
      status: "available",
      limit: 50,
      cursor: places[call % places.length] ?? ""
    })
})

export const many = async (storage: Storage, folder: string, pets: number): Promise<Many> => {
  const small = await open(storage, `${folder}/few.db`)
  await put(small, FEW)
  const emptyMb = heapBytes() / 1e6
  const filename = `${folder}/many.db`
  const store = await open(storage, filename)
  const petsPerSecond = await put(store, pets)
  const heldMb = heapBytes() / 1e6 - emptyMb
  const residentMb = process.memoryUsage().rss / 1e6
  const found = await interleave(
    31,
    { few: pages(small, placesIn(small)), many: pages(store, placesIn(store)) },
    UNCOUNTED
  )
  await store.close()
  await small.close()
  return {
    pets,
    petsPerSecond,
    mb: storage === "file" ? statSync(filename).size / 1e6 : heldMb,
    residentMb,
    pageMicros: spread(found("many")),
    pageRatio: ratio(found("many"), found("few"))
  }
}
