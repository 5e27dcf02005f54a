import type { OpenPetStore } from "@petstore/core"
import { verify } from "@petstore/storage-sqlite"
import { replayedShopOf, shopOf, upTo } from "../feed/shopOf.js"
import { openSqlite } from "./openSqlite.js"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { aFile, LONG, openStore, run } from "./sqlitePrograms.js"

const ROUNDS = LONG ? 100 : 5
const PETS = 8
const STOCK = 1_000_000

/** Orders that share commits, and orders with one each. */
const AT_ONCE = [16, 1]

type Told = {
  readonly placed: Map<number, { readonly petId: number; readonly quantity: number }>
  readonly done: { readonly completed: Set<number>; readonly cancelled: Set<number> }
  /** What may or may not have been done when the process was killed. */
  readonly begun: { readonly completing: Set<number>; readonly cancelling: Set<number> }
}

const hear = (told: Told, lines: ReadonlyArray<string>): void => {
  for (const line of lines) {
    const [word, ...numbers] = line.split(" ")
    const [id = 0, petId = 0, quantity = 0] = numbers.map(Number)
    if (word === "placed") told.placed.set(id, { petId, quantity })
    if (word === "completing") told.begun.completing.add(id)
    if (word === "completed") told.done.completed.add(id)
    if (word === "cancelling") told.begun.cancelling.add(id)
    if (word === "cancelled") told.done.cancelled.add(id)
  }
}

/** The reports that are not true. */
const lies = ({ placed, done, begun }: Told, store: OpenPetStore): ReadonlyArray<string> => {
  const found: Array<string> = []
  const stored = new Map<
    number,
    { readonly petId?: number; readonly quantity?: number; readonly complete: boolean }
  >()
  for (let cursor: string | undefined; ;) {
    const page = store.direct.orders.list({
      limit: 100,
      ...(cursor === undefined ? {} : { cursor })
    })
    for (const order of page.items) stored.set(order.id, order)
    cursor = page.next
    if (cursor === undefined) break
  }
  for (const [id, { petId, quantity }] of placed) {
    const order = stored.get(id)
    if (order === undefined) {
      if (!begun.cancelling.has(id)) found.push(`order ${id} was acknowledged and is gone`)
    } else if (order.petId !== petId || order.quantity !== quantity) {
      found.push(`order ${id} is not what was acknowledged`)
    } else if (done.cancelled.has(id)) {
      found.push(`order ${id} was cancelled and is there`)
    } else if (done.completed.has(id) && !order.complete) {
      found.push(`order ${id} was completed and is open`)
    }
  }
  return found
}

/** Reads on in the feed from the last change that was seen. */
const readOn = async (store: OpenPetStore, seen: Array<number>): Promise<void> => {
  for (;;) {
    const page = await store.changes.page({ after: seen.at(-1) ?? 0, limit: 1_000 })
    if ("type" in page) throw new Error("changes are gone that were seen before")
    if (page.length === 0) return
    seen.push(...page.map(({ sequence }) => sequence))
  }
}

/** Units of each pet, wherever they are. */
const units = (filename: string): ReadonlyArray<unknown> => {
  const file = openSqlite(filename)
  const sums = file.values("SELECT quantity + on_order + sold FROM inventory ORDER BY id").all()
  file.close()
  return sums
}

test(
  `a process that is killed while it writes, ${ROUNDS} times, has lost nothing it acknowledged and left nothing half done, in its feed neither`,
  async () => {
    const filename = aFile()
    const first = await openStore({ filename })
    const { id: categoryId } = first.direct.categories.create({ name: "Fish" })
    for (let petId = 1; petId <= PETS; petId++) {
      first.direct.pets.create({ name: `Goldie ${petId}`, categoryId })
      first.direct.inventory.set(petId, { quantity: STOCK })
    }
    await first.close()
    const told: Told = {
      placed: new Map(),
      done: { completed: new Set(), cancelled: new Set() },
      begun: { completing: new Set(), cancelling: new Set() }
    }
    const seen: Array<number> = []
    for (let round = 1; round <= ROUNDS; round++) {
      const shop = run("keepShop", filename, PETS, round, AT_ONCE[round % AT_ONCE.length] ?? 1)
      await shop.says("placed")
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 120))
      shop.child.kill("SIGKILL")
      await shop.ended
      hear(told, shop.said)

      const store = await openStore({ filename })
      expect([round, lies(told, store)]).toEqual([round, []])
      expect(units(filename)).toEqual(Array.from({ length: PETS }, () => STOCK))
      expect(await Effect.runPromise(verify({ filename }))).toEqual([])
      await readOn(store, seen)
      if (round === ROUNDS) expect(await replayedShopOf(store)).toEqual(await shopOf(store))
      await store.close()
    }
    expect(seen).toEqual(upTo(seen.length))
    expect(told.placed.size).toBeGreaterThan(10 * ROUNDS)
    expect(told.done.cancelled.size).toBeGreaterThan(0)
  },
  LONG ? 600_000 : 60_000
)
