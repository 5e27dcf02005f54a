import { copyFileSync, existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { OpenPetStore } from "@petstore/core"
import Connection from "better-sqlite3"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { backup, type SqliteOptions, verify } from "../src/index.js"
import { CHECKPOINT_BYTES } from "../src/openFile.js"
import { aFile, aFolder, openStore } from "./aFile.js"

/** https://www.sqlite.org/fileformat2.html §4.1: a header, and frames of a page and a header each. */
const FRAME_BYTES = 24 + 2_048
const isAllFrames = (bytes: number): boolean => (bytes - 32) % FRAME_BYTES === 0

const PIECE_BYTES = 256 * 1024

const logOf = (filename: string): number => statSync(`${filename}-wal`).size

const emptyStore = async (options: Omit<SqliteOptions, "filename"> = {}) => {
  const filename = aFile()
  return { filename, store: await openStore({ filename, ...options }) }
}

const description = "x".repeat(2_000)

/** So many commits of their own, of some pages each. */
const add = (store: OpenPetStore, commits: number): void => {
  for (let commit = 0; commit < commits; commit++)
    store.direct.categories.create({ name: "Fish", description })
}

/** What a process that is killed now would leave, in another folder. */
const leftBy = (filename: string): string => {
  const left = join(aFolder(), "pets.db")
  for (const suffix of ["", "-wal"]) copyFileSync(filename + suffix, left + suffix)
  return left
}

const categoriesIn = (filename: string): unknown => {
  const file = new Connection(filename)
  try {
    expect(file.pragma("integrity_check", { simple: true })).toBe("ok")
    return file.prepare("SELECT count(*) FROM categories").pluck().get()
  } finally {
    file.close()
  }
}

test("a few commits get no room", async () => {
  const { filename, store } = await emptyStore()
  add(store, 7)
  expect(isAllFrames(logOf(filename))).toBe(true)
})

test("after some, the log ends in zeros, which grow ahead of its use, by pieces and not with every commit", async () => {
  const { filename, store } = await emptyStore()
  const lengths = new Set<number>()
  add(store, 8)
  for (let commit = 0; commit < 200; commit++) {
    add(store, 1)
    lengths.add(logOf(filename))
    expect(
      readFileSync(`${filename}-wal`)
        .subarray(-1_024)
        .every((byte) => byte === 0)
    ).toBe(true)
  }
  expect(lengths.size).toBeLessThan(20)
})

test("no further than where the log is written back, and closing takes it away", async () => {
  const { filename, store } = await emptyStore()
  add(store, 1_200)
  expect(logOf(filename)).toBeGreaterThan(CHECKPOINT_BYTES - PIECE_BYTES)
  expect(logOf(filename)).toBeLessThan(CHECKPOINT_BYTES + PIECE_BYTES)
  await store.close()
  expect(existsSync(`${filename}-wal`)).toBe(false)
  expect(categoriesIn(filename)).toBe(1_200)
}, 30_000)

test("nor beyond the bound of the log", async () => {
  const maxLogBytes = 600_000
  const { filename, store } = await emptyStore({ maxLogBytes })
  for (let commit = 0; commit < 300; commit++) {
    add(store, 1)
    expect(logOf(filename)).toBeLessThanOrEqual(maxLogBytes + 32 * 8 * FRAME_BYTES)
  }
})

test("commits that are not synced get none, and large ones neither", async () => {
  const relaxed = await emptyStore({ durability: "relaxed" })
  add(relaxed.store, 100)
  expect(isAllFrames(logOf(relaxed.filename))).toBe(true)

  const { filename, store } = await emptyStore()
  for (let commit = 0; commit < 24; commit++)
    await Promise.all(
      Array.from({ length: 40 }, () => store.categories.create({ name: "Fish", description }))
    )
  expect(isAllFrames(logOf(filename))).toBe(true)
})

test("what a killed process leaves has every commit, for SQLite itself as for the store, and takes more", async () => {
  const { filename, store } = await emptyStore()
  let added = 0
  for (const commits of [9, 1, 7, 30, 64, 200, 400, 600]) {
    add(store, commits)
    added += commits
    expect(categoriesIn(leftBy(filename))).toBe(added)
    const left = leftBy(filename)
    const reopened = await openStore({ filename: left })
    add(reopened, 40)
    expect(categoriesIn(left)).toBe(added + 40)
    expect(await Effect.runPromise(verify({ filename: left }))).toEqual([])
    await reopened.close()
  }
}, 30_000)

test("another connection that cuts the log back, or writes into the room, loses nothing", async () => {
  const { filename, store } = await emptyStore()
  const other = await openStore({ filename })
  const bare = new Connection(filename)
  for (let round = 0; round < 12; round++) {
    add(store, 20)
    add(other, 20)
    if (round % 3 === 0) bare.pragma("wal_checkpoint(TRUNCATE)")
    if (round % 3 === 1) bare.pragma("wal_checkpoint(RESTART)")
  }
  bare.close()
  expect(store.direct.categories.list({ limit: 1, total: true }).total).toBe(480)
  expect(categoriesIn(leftBy(filename))).toBe(480)
})

test("a copy made meanwhile is whole", async () => {
  const { filename, store } = await emptyStore()
  add(store, 100)
  const destination = aFile()
  await Effect.runPromise(backup({ filename, destination }))
  expect(categoriesIn(destination)).toBe(100)
  expect(statSync(destination).size).toBeLessThan(4 * PIECE_BYTES)
})
