import { readFileSync, statSync } from "node:fs"
import { StorageError } from "@petstore/core"
import { verify } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { replayedShopOf, shopOf, upTo } from "../feed/shopOf.js"
import { aFile, LONG, openStore, run } from "./sqlitePrograms.js"

const reasonOf = (thrown: unknown): unknown =>
  thrown instanceof StorageError ? thrown.reason : thrown

describe("several processes on one file", () => {
  const STOCK = 1_000
  const TRIES = LONG ? 1_000 : 500

  test(
    `two that try to buy ${TRIES} units each of ${STOCK} get exactly what there is`,
    {
      timeout: 60_000
    },
    async () => {
      const filename = aFile()
      const store = await openStore({ filename })
      const { id: categoryId } = store.direct.categories.create({ name: "Fish" })
      const { id } = store.direct.pets.create({ name: "Goldie", categoryId })
      store.direct.inventory.set(id, { quantity: STOCK })
      store.direct.orders.place({ petId: id, quantity: 7 })

      const buyers = [1, 2].map(() => run("buy", filename, id, TRIES))
      await Promise.all(buyers.map(({ says }) => says("ready")))
      const reader = store.changes({ after: 0 })
      for (const { child } of buyers) child.stdin?.write("go")
      const answers = await Promise.all(buyers.map(({ says }) => says("done")))
      const bought = answers.map((answer) => Number(answer.split(" ")[1]))
      const sold = bought.reduce((sum, each) => sum + each, 0)
      expect(sold).toBe(Math.min(STOCK - 7, 2 * TRIES))
      expect(bought.every((each) => each > 0)).toBe(true)
      expect(store.direct.inventory.get(id).quantity).toBe(STOCK - 7 - sold)
      expect(store.direct.orders.list({ complete: true, limit: 1, total: true }).total).toBe(sold)
      const told: Array<number> = []
      for (const last = await store.changes.last(); told.length < last;) {
        const { value } = await reader.next()
        if (value !== undefined) told.push(value.sequence)
      }
      expect(told).toEqual(upTo(told.length))
      expect(await replayedShopOf(store)).toEqual(await shopOf(store))
      expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    }
  )

  test("each sees what the other has written at once", { timeout: 30_000 }, async () => {
    const filename = aFile()
    const store = await openStore({ filename })
    const adding = run("addCategories", filename, 50)
    for (let id = 1; id <= 50; id++) {
      await adding.says(`added ${id}`)
      expect(store.direct.categories.get(id).name).toBe(`Kind ${id - 1}`)
    }
    expect(await adding.ended).toBe(0)
  })

  test(
    "one that waits for a change, and does nothing else, ends",
    {
      timeout: 30_000
    },
    async () => {
      const waiting = run("waitForChanges", aFile())
      await waiting.says("waiting")
      expect(await waiting.ended).toBe(0)
    }
  )

  test("one that reads events of a web handler, and does nothing else, ends", async () => {
    const reading = run("readEvents", aFile())
    expect(await reading.says("reading")).toBe("reading 200")
    expect(await reading.ended).toBe(0)
  })

  test("any number may make the same new file at once", { timeout: 60_000 }, async () => {
    const filename = aFile()
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => run("addCategories", filename, 5).ended)
    )
    expect(codes).toEqual([0, 0, 0, 0, 0, 0])
    const store = await openStore({ filename })
    expect(store.direct.categories.list({ total: true }).total).toBe(30)
  })
})

describe("while another process holds the write lock", () => {
  /**
   * How long this thread has waited for a processor, if the system reports it: time on a busy
   * machine that is not ours.
   */
  const queuedMs = (): number => {
    try {
      return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[1]) / 1e6
    } catch {
      return 0
    }
  }

  /** The longest time that timers of five milliseconds came late, in so many milliseconds. */
  const longestBlockMs = async (forMs: number): Promise<number> => {
    let longest = 0
    for (const untilMs = performance.now() + forMs; performance.now() < untilMs;) {
      const beforeMs = performance.now() - queuedMs()
      await new Promise((resolve) => setTimeout(resolve, 5))
      longest = Math.max(longest, performance.now() - queuedMs() - beforeMs - 5)
    }
    return longest
  }

  test(
    "writes wait without blocking the event loop for 50 ms, and succeed",
    {
      timeout: 30_000
    },
    async () => {
      const filename = aFile()
      const store = await openStore({ filename })
      const holder = run("hold", filename, "writes")
      await holder.says("holding")
      let stored = 0
      const writes = Array.from({ length: 20 }, async (_, number) => {
        await store.categories.create({ name: `${number}` })
        stored++
      })
      // Again where something else stopped this process: a block of ours would be there each time.
      const longest = [await longestBlockMs(300)]
      while (longest.length < 5 && Math.min(...longest) >= 50)
        longest.push(await longestBlockMs(300))
      expect(Math.min(...longest)).toBeLessThan(50)
      expect(stored).toBe(0)
      holder.child.stdin?.end()
      await Promise.all(writes)
      expect(store.direct.categories.list({ total: true }).total).toBe(20)
    }
  )

  test(
    "writes that have waited as long as they may are Busy, and later ones succeed",
    {
      timeout: 30_000
    },
    async () => {
      const filename = aFile()
      const store = await openStore({ filename, busyMs: 150 })
      const holder = run("hold", filename, "writes")
      await holder.says("holding")
      const refused = await store.categories.create({ name: "Fish" }).then(() => "stored", reasonOf)
      expect(refused).toBe("Busy")
      holder.child.stdin?.end()
      await holder.ended
      expect((await store.categories.create({ name: "Fish" })).id).toBe(1)
    }
  )
})

describe("while another process reads without end", () => {
  test(
    "the log stays bounded, reads go on, and writes go on as soon as it ends",
    {
      timeout: 60_000
    },
    async () => {
      const filename = aFile()
      const maxLogBytes = 2 * 2 ** 20
      const store = await openStore({ filename, durability: "relaxed", busyMs: 100, maxLogBytes })
      const reader = run("hold", filename, "reads")
      await reader.says("holding")
      const description = "x".repeat(2_000)
      let stored = 0
      let refused: unknown
      while (refused === undefined && stored < 20_000) {
        try {
          store.direct.categories.create({ name: "Fish", description })
          stored++
        } catch (thrown) {
          refused = reasonOf(thrown)
        }
      }
      expect(refused).toBe("Busy")
      expect(statSync(`${filename}-wal`).size).toBeLessThan(2 * maxLogBytes)
      expect(await store.categories.create({ name: "Fish" }).then(() => "stored", reasonOf)).toBe(
        "Busy"
      )
      expect(store.direct.categories.get(stored).description).toBe(description)

      reader.child.stdin?.end()
      await reader.ended
      expect((await store.categories.create({ name: "Fish" })).id).toBe(stored + 1)
      expect(statSync(`${filename}-wal`).size).toBeLessThan(maxLogBytes)
    }
  )
})
