/**
 * Storage in memory, one core: medians of get, insert and a page of 50 pets at 1,000 and 1,000,000
 * pets, and what a pet weighs. Run with `node --expose-gc`; an argument replaces 1,000,000.
 */
import {
  DirectStorage,
  type Index,
  type PetRow,
  type Range,
  type Row,
  fold,
  get,
  insert,
  pets,
  scan,
  valueOf
} from "@petstore/core/storage"
import { MemoryStorage } from "@petstore/storage-memory"
import { Context, Effect, Either, Layer } from "effect"
import { heapBytes } from "./library/heapBytes.js"

type Direct = Context.Tag.Service<typeof DirectStorage>

const open = (): Direct =>
  Effect.runSync(
    Effect.scoped(
      Effect.map(Layer.build(MemoryStorage.layer), (services) =>
        Context.get(services, DirectStorage)
      )
    )
  )

const STATUSES = ["available", "pending", "sold"] as const

type PetFields = Omit<PetRow, "id" | "revision">

/** The same pets in every run, with names in no order. */
const petOf = (number: number): PetFields => {
  const name = flat(`Pet ${((number * 2_654_435_761) % 4_294_967_296).toString(36)}`)
  return {
    name,
    foldedName: fold(name),
    categoryId: 1 + (number % 12),
    status: STATUSES[number % 7 < 5 ? 0 : number % 7 === 5 ? 1 : 2] ?? "available",
    onOrder: 0,
    sold: 0
  }
}

/**
 * A text as a decoder hands it over: in one piece. What V8 makes of a template is a tree of pieces.
 */
const flat = (text: string): string => Buffer.from(text).toString()

const petsFrom = (first: number, count: number): ReadonlyArray<PetFields> =>
  Array.from({ length: count }, (_, index) => petOf(first + index))

const fill = (storage: Direct, count: number): void => {
  for (let first = 0; first < count; first += 1_000) {
    for (const pet of petsFrom(first, Math.min(1_000, count - first)))
      storage.write(() => insert(pets, pet))
  }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0

/** The median over rounds of the mean time of one call, in microseconds. */
const time = (calls: number, rounds: number, call: (number: number) => unknown): number =>
  median(
    Array.from({ length: rounds }, (_, round) => {
      const startMs = performance.now()
      for (let number = 0; number < calls; number++) call(round * calls + number)
      return ((performance.now() - startMs) * 1_000) / calls
    })
  )

const index = (name: string): Index => {
  const found = pets.indexes.find((other) => other.name === name)
  if (found === undefined) throw new Error(`no index ${name}`)
  return found
}

const everything = { atLeast: null, below: null }
const byStatus: Range = { index: index("status"), prefix: ["available"], ...everything }
const byName: Range = { index: index("status_name"), prefix: ["available"], ...everything }

const rightOf = <A>(outcome: Either.Either<A, unknown>): A => Either.getOrThrow(outcome)

const measure = (count: number) => {
  const emptyBytes = heapBytes()
  const storage = open()
  fill(storage, count)
  const bytes = heapBytes() - emptyBytes

  const further = petsFrom(count, 20_000)
  const idOf = (number: number) => 1 + ((number * 7_919) % count)
  // Readers come back to some pages: a hundred places, spread over the whole collection.
  const places = Array.from({ length: 100 }, (_, place): Row | undefined =>
    rightOf(storage.read(() => get(pets, idOf(place * 104_729))))
  )
  const page = (range: Range) => (number: number) => {
    const row = places[number % places.length]
    const value = row === undefined ? null : valueOf(row, range.index.sort)
    return storage.read(() => scan(pets, range, { limit: 50, after: { value, id: row?.id ?? 0 } }))
  }
  return {
    pets: count,
    "get µs": time(20_000, 15, (number) => storage.read(() => get(pets, idOf(number)))),
    "page by id µs": time(2_000, 15, page(byStatus)),
    "page by name µs": time(2_000, 15, page(byName)),
    "insert µs": time(further.length / 10, 10, (number) => {
      const pet = further[number]
      return pet && storage.write(() => insert(pets, pet))
    }),
    "bytes/pet": bytes / count,
    MB: bytes / 1e6
  }
}

/** Filling a new store with a thousand pets, for each pet: what most test suites and shops do. */
const firstInserts = (): number => {
  const first = petsFrom(0, 1_000)
  return median(
    Array.from({ length: 100 }, () => {
      const storage = open()
      return time(first.length, 1, (number) => {
        const pet = first[number]
        return pet && storage.write(() => insert(pets, pet))
      })
    })
  )
}

const most = Number(process.argv[2] ?? 1_000_000)
console.log(`insert into a new store, first 1,000 pets: ${firstInserts().toFixed(2)} µs`)
measure(1_000)
const table = [1_000, most].map(measure)
console.table(
  table.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, Number(value.toPrecision(3))])
    )
  )
)
