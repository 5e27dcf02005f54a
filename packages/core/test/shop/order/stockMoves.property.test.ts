import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { RecordWrites } from "../../../src/shop/RecordWrites.js"
import {
  type OrderingRules,
  recordOnly,
  takeFromStock
} from "../../../src/shop/order/OrderingPolicy.js"
import { type Stock, statusOf } from "../../../src/shop/inventory/Stock.js"
import { drive } from "../../../src/engine/program/drive.js"
import type { Program } from "../../../src/engine/program/Program.js"
import { find, get, orRefuse } from "../../../src/engine/program/requests.js"
import { UnknownPet } from "../../../src/shop/pet/errors.js"
import { type InventoryRow, inventory } from "../../../src/shop/inventory/rows.js"
import { type PetRow, pets } from "../../../src/shop/pet/rows.js"
import { stockMoves } from "../../../src/shop/order/stockMoves.js"

const CONTEXT = { nowMs: 0 }
const PET_ID = 7

/** What a store has of one pet. An entry has a pet, which has its status. */
type Stored = { readonly pet: PetRow | undefined; readonly entry: InventoryRow | undefined }

/** What is asked for `stockMoves` to do, and the same by whoever looks the pet up first. */
type Moves = ReturnType<typeof stockMoves>
type Move = (moves: Pick<Moves, keyof Moves>) => Program<number, unknown>

const unexpected = (): never => {
  throw new Error("stock is moved by replacing")
}

/** Replaces, and notes what was replaced by what. */
const noting = (noted: Array<unknown>): RecordWrites => ({
  insert: unexpected,
  remove: unexpected,
  *replace(_origin, collection, row, changed) {
    const next = { ...row, ...changed, revision: row.revision + 1 }
    noted.push([collection.name, next])
    return next
  }
})

/** The pet first, then its entry: as it reads most easily. */
const plainMoves = (ordering: OrderingRules, records: RecordWrites): Moves => {
  function* stocked(petId: number) {
    const pet = yield* find(pets, petId, (id) => new UnknownPet({ petId: id }))
    const entry = yield* get(inventory, petId)
    const { onOrder, sold } = entry ?? pet
    const oneAnimal = pet.status === "available" && pet.onOrder === 0 ? 1 : 0
    return { pet, entry, stock: { forSale: entry?.quantity ?? oneAnimal, onOrder, sold } }
  }

  function* save({ pet, entry, stock: before }: Stocked, stock: Stock): Program<void> {
    if (stock === before) return
    const status = statusOf(stock)
    const { forSale: quantity, onOrder, sold } = stock
    if (entry === undefined) yield* records.replace(CONTEXT, pets, pet, { status, onOrder, sold })
    else {
      yield* records.replace(CONTEXT, inventory, entry, { quantity, onOrder, sold, status })
      if (pet.status !== status) yield* records.replace(CONTEXT, pets, pet, { status })
    }
  }

  return {
    *takeUnits(_origin, petId, quantity, complete) {
      const before = yield* stocked(petId)
      const { stock, held } = yield* orRefuse(ordering.take(petId, before.stock, quantity))
      yield* save(before, complete ? ordering.sell(stock, held) : stock)
      return held
    },
    *giveBackUnits(_origin, petId, held) {
      const before = yield* stocked(petId)
      yield* save(before, ordering.giveBack(before.stock, held))
      return held
    },
    *sellUnits(_origin, petId, held) {
      const before = yield* stocked(petId)
      yield* save(before, ordering.sell(before.stock, held))
      return held
    }
  }
}

type Stocked = {
  readonly pet: PetRow
  readonly entry: InventoryRow | undefined
  readonly stock: Stock
}

const units = fc.integer({ min: 0, max: 6 })

const stored: fc.Arbitrary<Stored> = fc
  .record({
    has: fc.constantFrom("nothing" as const, "a pet" as const, "a pet and its entry" as const),
    status: fc.constantFrom("available" as const, "pending" as const, "sold" as const),
    quantity: units,
    onOrder: units,
    sold: units
  })
  .map(({ has, status, quantity, onOrder, sold }) => {
    const row = { id: PET_ID, revision: 3, onOrder, sold }
    const pet = { ...row, name: "Rex", foldedName: "rex", categoryId: 1, status }
    if (has === "nothing") return { pet: undefined, entry: undefined }
    if (has === "a pet") return { pet, entry: undefined }
    const followed = statusOf({ forSale: quantity, onOrder, sold })
    return { pet: { ...pet, status: followed }, entry: { ...row, quantity, status: followed } }
  })

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()).map(
    ([quantity, complete]): Move =>
      ({ takeUnits }) =>
        takeUnits(CONTEXT, PET_ID, quantity, complete)
  ),
  units.map(
    (held): Move =>
      ({ giveBackUnits }) =>
        giveBackUnits(CONTEXT, PET_ID, held)
  ),
  units.map(
    (held): Move =>
      ({ sellUnits }) =>
        sellUnits(CONTEXT, PET_ID, held)
  )
)

describe("moving units", () => {
  it("by the entry first writes, answers and refuses what it does by the pet first", () => {
    const outcomeOf = (
      make: typeof plainMoves,
      ordering: OrderingRules,
      { pet, entry }: Stored,
      asked: Move
    ) => {
      const written: Array<unknown> = []
      const outcome = drive(asked(make(ordering, noting(written))), ({ op, collection }) => {
        expect(op).toBe("get")
        return collection.name === pets.name ? pet : entry
      })
      return { outcome: Either.mapLeft(outcome, String), written }
    }
    const ordering = fc.constantFrom(takeFromStock, recordOnly)
    fc.assert(
      fc.property(ordering, stored, move, (rules, before, asked) => {
        const told = outcomeOf(stockMoves, rules, before, asked)
        expect(told).toEqual(outcomeOf(plainMoves, rules, before, asked))
        if (before.pet === undefined) expect(told.outcome).toMatchObject({ _tag: "Left" })
      }),
      { numRuns: 500 }
    )
  })
})
