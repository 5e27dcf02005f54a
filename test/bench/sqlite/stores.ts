/**
 * The files that are measured: stores with many pets, and bare connections to files of the same
 * schema.
 */
import { join } from "node:path"
import { DirectStorage, type OpenPetStore, PetStore } from "@petstore/core"
import { type SqliteOptions, SqliteStorage } from "@petstore/storage-sqlite"
import { Context, Effect, Layer, Scope } from "effect"
import { type Database, openDatabase, type Statement } from "../bareSqlite.js"

const STATUSES = ["available", "pending", "sold"] as const

export const CATEGORIES = 12

/**
 * The same pets in every run, with names in no order: as random as real ones, since that decides
 * how full index pages are.
 */
export const petOf = (number: number) => {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35)
  return {
    name: Buffer.from(`Pet ${((mixed ^ (mixed >>> 16)) >>> 0).toString(36)}`).toString(),
    categoryId: 1 + (number % CATEGORIES),
    status: STATUSES[number % 7 < 5 ? 0 : (number % 7) - 4] ?? "available"
  }
}

/**
 * Pets of one transaction: a change of random places costs a page each, unless many changes of a
 * transaction share it.
 */
const BATCH = 100_000

/**
 * Puts so many pets into a new store, through the library as anyone would; answers how many a
 * second.
 */
export const put = async (store: OpenPetStore, count: number): Promise<number> => {
  for (let category = 0; category < CATEGORIES; category++)
    await store.categories.create({ name: `Kind ${category}` })
  const startMs = performance.now()
  for (let first = 0; first < count; first += BATCH) {
    await store.transact(function* (tx) {
      for (let number = first; number < Math.min(first + BATCH, count); number++)
        yield* tx.pets.create(petOf(number))
    })
  }
  return (count / (performance.now() - startMs)) * 1_000
}

/** A closed file with so many pets; answers how many a second were put in. */
export const fill = async (filename: string, count: number): Promise<number> => {
  const store = await openStore({ filename, durability: "relaxed" })
  const petsPerSecond = await put(store, count)
  await store.close()
  return petsPerSecond
}

export const openStore = (options: SqliteOptions): Promise<OpenPetStore> =>
  PetStore.open({ storage: SqliteStorage.layer(options) })

/** The storage alone, for scans from any position. It is closed when the process ends. */
export const openDirect = (filename: string): Promise<Context.Tag.Service<DirectStorage>> =>
  Effect.runPromise(
    Effect.scopeWith((scope) =>
      Effect.map(Layer.buildWithScope(SqliteStorage.layer({ filename }), scope), (built) =>
        Context.get(built, DirectStorage)
      )
    ).pipe(Effect.provideService(Scope.Scope, Effect.runSync(Scope.make())))
  )

/** As someone would open it who writes SQL by hand, with the same care for what is stored. */
export const openBare = (filename: string, durability: "full" | "relaxed"): Database => {
  const file = openDatabase(filename)
  file.exec("PRAGMA journal_mode = WAL")
  file.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`)
  file.exec("PRAGMA cache_size = -16384")
  file.exec(`PRAGMA mmap_size = ${2 ** 30}`)
  file.exec("PRAGMA foreign_keys = OFF")
  return file
}

/** A new file of the same schema. */
export const emptyFile = async (folder: string, name: string): Promise<string> => {
  const filename = join(folder, name)
  const store = await openStore({ filename })
  for (let category = 0; category < CATEGORIES; category++)
    store.direct.categories.create({ name: `Kind ${category}` })
  await store.close()
  return filename
}

/** The columns of a pet that the store reads. */
export const SELECTED = "id, revision, name, folding, category_id, status, on_order, sold"

/** The bare statement that reads a pet. */
export const bareGet = (file: Database): Statement<[number], unknown> =>
  file.prepare<[number]>(`SELECT ${SELECTED} FROM pets WHERE id = ?`)

/** Runs the bare statement that stores the nth pet. */
export const bareCreate = (file: Database): ((number: number) => unknown) => {
  const insert = file.prepare(
    `INSERT INTO pets (revision, name, category_id, status, on_order, sold)
      VALUES (?, ?, ?, ?, ?, ?)`
  )
  return (number) => {
    const { name, categoryId } = petOf(number)
    return insert.run(1, name, categoryId, number % 7 < 5 ? 0 : (number % 7) - 4, 0, 0)
  }
}
