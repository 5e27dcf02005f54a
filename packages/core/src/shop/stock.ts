/** Moving units of a pet: from its inventory entry where it has one, else from the pet itself, which is one animal. */
import type { RecordWrites } from "../change/RecordWrites.js"
import type { OrderingRules } from "../order/OrderingPolicy.js"
import type { InsufficientStock } from "../order/Refusals.js"
import { type Stock, statusOf } from "../order/Stock.js"
import { type InventoryRow, inventory, type PetRow, pets } from "./rows.js"
import type { Program, ReadProgram } from "../program/Program.js"
import { find, get, orRefuse } from "../program/requests.js"
import { UnknownPet } from "../record/Refusals.js"
import type { Origin } from "./Origin.js"

/** A pet, its inventory entry if any, and the units of it. */
type Stocked = { readonly pet: PetRow; readonly entry: InventoryRow | undefined; readonly stock: Stock }

/** A pet without an entry is one animal: for sale while available and in no open order. */
const stockOf = (pet: PetRow, entry: InventoryRow | undefined): Stock =>
  entry === undefined
    ? {
        forSale: pet.status === "available" && pet.onOrder === 0 ? 1 : 0,
        onOrder: pet.onOrder,
        sold: pet.sold
      }
    : { forSale: entry.quantity, onOrder: entry.onOrder, sold: entry.sold }

function* stocked(petId: number): ReadProgram<Stocked, UnknownPet> {
  const pet = yield* find(pets, petId, () => new UnknownPet({ petId }))
  const entry = yield* get(inventory, petId)
  return { pet, entry, stock: stockOf(pet, entry) }
}

export const stockMoves = (ordering: OrderingRules, records: RecordWrites) => {
  /** Stores what has become of the units; both statuses follow. */
  function* saveStock(origin: Origin, { pet, entry, stock: before }: Stocked, stock: Stock): Program<void> {
    if (stock === before) return
    const status = statusOf(stock)
    const { forSale: quantity, onOrder, sold } = stock
    if (entry === undefined) {
      yield* records.replace(origin, pets, pet, { status, onOrder, sold })
      return
    }
    yield* records.replace(origin, inventory, entry, { quantity, onOrder, sold, status })
    if (pet.status !== status) yield* records.replace(origin, pets, pet, { status })
  }

  /** Takes units for an order, which are sold at once if it is complete; answers how many the order has of them. */
  function* takeUnits(
    origin: Origin,
    petId: number,
    quantity: number,
    complete: boolean
  ): Program<number, UnknownPet | InsufficientStock> {
    const before = yield* stocked(petId)
    const { stock, held } = yield* orRefuse(ordering.take(petId, before.stock, quantity))
    yield* saveStock(origin, before, complete ? ordering.sell(stock, held) : stock)
    return held
  }

  /** Gives back the units an open order held. */
  function* giveBackUnits(origin: Origin, petId: number, held: number): Program<void, UnknownPet> {
    const before = yield* stocked(petId)
    yield* saveStock(origin, before, ordering.giveBack(before.stock, held))
  }

  /** Sells the units an order held. */
  function* sellUnits(origin: Origin, petId: number, held: number): Program<void, UnknownPet> {
    const before = yield* stocked(petId)
    yield* saveStock(origin, before, ordering.sell(before.stock, held))
  }

  return { takeUnits, giveBackUnits, sellUnits }
}
