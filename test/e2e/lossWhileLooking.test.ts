/**
 * Acknowledged writes survive a kill, even if the writing process read its file in the meantime.
 */
import { verify } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { foreignSqlite, hasForeignSqlite, unlessForeignSqlite } from "./foreignSqlite.js"
import { aFile, openStore, run, type Running } from "./sqlitePrograms.js"

const PETS = 200
const WAYS = ["verify", "backup", "open"] as const

const aShop = async (): Promise<string> => {
  const filename = aFile()
  const store = await openStore({ filename })
  store.direct.categories.create({ name: "Fish" })
  await store.close()
  return filename
}

const acknowledgedBy = ({ said }: Running): ReadonlyArray<number> =>
  said.flatMap((line) => (line.startsWith("added ") ? [Number(line.slice("added ".length))] : []))

/** Has the other SQLite open the file, count and close it, until the writers are done. */
const countUntil = async (filename: string, done: Promise<unknown>): Promise<void> => {
  const counting = new AbortController()
  const counts = (async () => {
    while (!counting.signal.aborted) await foreignSqlite(filename, "SELECT count(*) FROM pets")
  })()
  await done.finally(() => counting.abort())
  await counts
}

/** What these processes acknowledge while the other SQLite counts, until they are killed. */
const writtenBy = async (
  filename: string,
  ways: ReadonlyArray<string>
): Promise<ReadonlyArray<number>> => {
  const writers = ways.map((way) => run("writeAndLook", filename, way, PETS))
  await Promise.all(writers.map(({ says }) => says("looked")))
  await foreignSqlite(filename, "SELECT count(*) FROM pets")
  for (const { child } of writers) child.stdin?.write("go")
  await countUntil(filename, Promise.all(writers.map(({ says }) => says("done"))))
  for (const { child } of writers) child.kill("SIGKILL")
  await Promise.all(writers.map(({ ended }) => ended))
  return writers.flatMap(acknowledgedBy)
}

const storedIn = async (filename: string): Promise<ReadonlyArray<number>> => {
  const store = await openStore({ filename })
  const ids: Array<number> = []
  for (let cursor: string | undefined; ;) {
    const page = store.direct.pets.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next
    if (cursor === undefined) break
  }
  await store.close()
  return ids
}

const sorted = (ids: ReadonlyArray<number>): ReadonlyArray<number> => ids.toSorted((a, b) => a - b)

describe("a process that looks at the file it writes to, while another SQLite reads it", () => {
  test.skipIf(!hasForeignSqlite).each(WAYS)(
    `has lost nothing it acknowledged when it is killed: %s${unlessForeignSqlite}`,
    { timeout: 120_000 },
    async (way) => {
      const filename = await aShop()
      const acknowledged = await writtenBy(filename, [way])
      expect(acknowledged).toHaveLength(PETS)
      expect(await storedIn(filename)).toEqual(acknowledged)
      expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    }
  )

  test.skipIf(!hasForeignSqlite)(
    `shares the file with others that do so: no id is given twice, and all that was acknowledged is stored${unlessForeignSqlite}`,
    { timeout: 120_000 },
    async () => {
      const filename = await aShop()
      const acknowledged = await writtenBy(filename, WAYS)
      expect(new Set(acknowledged).size).toBe(WAYS.length * PETS)
      expect(await storedIn(filename)).toEqual(sorted(acknowledged))
      expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    }
  )
})
