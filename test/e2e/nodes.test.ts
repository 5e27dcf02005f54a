/**
 * One file under several drivers and Nodes. PETSTORE_TEST_NODES has the paths of other Nodes, as
 * `node scripts/runtimes.mjs node` prints them; without it only the drivers of this Node take part.
 */
import { delimiter } from "node:path"
import { verify } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { driversAtHand } from "./openSqlite.js"
import { aFile, LONG, openStore, runOn, type Place } from "./sqlitePrograms.js"

const ROUNDS = LONG ? 50 : 4

const others = (process.env["PETSTORE_TEST_NODES"] ?? "").split(delimiter).filter(Boolean)

/** Each has another driver, or another SQLite, than the one before. */
const places: ReadonlyArray<Place> = [
  ...driversAtHand().map(({ name }) => ({ node: process.execPath, driver: name })),
  ...others.map((node) => ({ node }))
]

const idsIn = (said: ReadonlyArray<string>): ReadonlyArray<number> =>
  said.flatMap((line) => (line.startsWith("added ") ? [Number(line.slice("added ".length))] : []))

const missing = async (filename: string, ids: ReadonlyArray<number>) => {
  const store = await openStore({ filename })
  const found = store.direct.categories.list({ limit: 1, total: true }).total ?? 0
  const lost = ids.filter((id) => {
    try {
      return store.direct.categories.get(id).id !== id
    } catch {
      return true
    }
  })
  await store.close()
  expect(await Effect.runPromise(verify({ filename }))).toEqual([])
  return { found, lost }
}

describe.skipIf(places.length < 2)(
  `${places.length} drivers and Nodes (more by PETSTORE_TEST_NODES)`,
  () => {
    test(
      "continue a file that another has written, without a warning",
      { timeout: 60_000 },
      async () => {
        const filename = aFile()
        const ids: Array<number> = []
        for (const place of [...places, ...places.toReversed()]) {
          const adding = runOn(place, "addCategories", filename, 20)
          expect([await adding.ended, adding.complaint()]).toEqual([0, ""])
          ids.push(...idsIn(adding.said))
        }
        expect(ids).toEqual(Array.from({ length: 40 * places.length }, (_, at) => at + 1))
        expect(await missing(filename, ids)).toEqual({ found: ids.length, lost: [] })
      }
    )

    test(
      `write to one file at once, are killed ${ROUNDS} times, and lose nothing that was acknowledged`,
      { timeout: 120_000 },
      async () => {
        const filename = aFile()
        const ids: Array<number> = []
        for (let round = 0; round < ROUNDS; round++) {
          const running = places.map((place) => runOn(place, "addCategories", filename, 100_000))
          await Promise.all(running.map(({ says }) => says("added")))
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 120))
          for (const { child, ended } of running) {
            child.kill("SIGKILL")
            // The others go on for a moment.
            await ended
          }
          for (const { said } of running) ids.push(...idsIn(said))
        }
        expect(new Set(ids).size).toBe(ids.length)
        const { found, lost } = await missing(filename, ids)
        expect(lost).toEqual([])
        expect(found).toBeGreaterThanOrEqual(ids.length)
      }
    )
  }
)
