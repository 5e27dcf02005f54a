/**
 * Applies the ordering rules to the stock of a pet: to its inventory entry, or to the pet itself if
 * it has none, which counts as one animal.
 */
import * as Either from "effect/Either"
import type { RecordWrites } from "../RecordWrites.js"
import type { OrderingRules, StockMove } from "./OrderingPolicy.js"
import type { InsufficientStock } from "../inventory/errors.js"
import { type Stock, statusOf } from "../inventory/Stock.js"
import { inventory } from "../inventory/rows.js"
import { type PetRow, pets } from "../pet/rows.js"
import type { Program } from "../../engine/program/Program.js"
import { find, get, orRefuse } from "../../engine/program/requests.js"
import { UnknownPet } from "../pet/errors.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"

/** What happens to a pet's units, or the refusal. */
type Decide<E> = (stock: Stock) => Either.Either<StockMove, E>

const unknownPet = (petId: number) => new UnknownPet({ petId })

/** A pet without an entry is one animal: for sale while available and in no open order. */
const stockOf = ({ status, onOrder, sold }: PetRow): Stock => ({
  forSale: status === "available" && onOrder === 0 ? 1 : 0,
  onOrder,
  sold
})

/**
 * Checks a result of a host's rules: throws unless it is a safe integer, which every storage can
 * store. Turns -0 into 0.
 */
const wholeUnits = (name: string, units: number): number => {
  if (Number.isSafeInteger(units)) return units + 0
  throw new RangeError(`the ordering rules made ${name} ${String(units)}: expected a whole number`)
}

/** The checked result of a host's rules. Stock that they did not change stays the same object. */
const wholeTaken = (before: Stock, { stock, held }: StockMove): StockMove => ({
  stock:
    stock === before
      ? before
      : {
          forSale: wholeUnits("forSale", stock.forSale),
          onOrder: wholeUnits("onOrder", stock.onOrder),
          sold: wholeUnits("sold", stock.sold)
        },
  held: wholeUnits("held", held)
})

export const stockMoves = (ordering: OrderingRules, records: RecordWrites) => {
  /**
   * Applies `decide` to a pet's units, updates the status of the entry and of the pet, and returns
   * the number of units that were moved.
   */
  function* move<E>(
    context: RequestContext,
    petId: number,
    decide: Decide<E>
  ): Program<number, UnknownPet | E> {
    const entry = yield* get(inventory, petId)
    if (entry === undefined) return yield* moveOne(context, petId, decide)
    const { quantity, onOrder, sold } = entry
    const before = { forSale: quantity, onOrder, sold }
    const { stock, held } = wholeTaken(before, yield* orRefuse(decide(before)))
    if (stock === before) return held
    const status = statusOf(stock)
    yield* records.replace(context, inventory, entry, {
      quantity: stock.forSale,
      onOrder: stock.onOrder,
      sold: stock.sold,
      status
    })
    // An entry has the status of its pet. If it has not changed, neither has the pet.
    if (status !== entry.status)
      yield* records.replace(context, pets, yield* find(pets, petId, unknownPet), { status })
    return held
  }

  /** The same for a pet without an entry. */
  function* moveOne<E>(
    context: RequestContext,
    petId: number,
    decide: Decide<E>
  ): Program<number, UnknownPet | E> {
    const pet = yield* find(pets, petId, unknownPet)
    const before = stockOf(pet)
    const { stock, held } = wholeTaken(before, yield* orRefuse(decide(before)))
    if (stock === before) return held
    const { onOrder, sold } = stock
    yield* records.replace(context, pets, pet, { status: statusOf(stock), onOrder, sold })
    return held
  }

  return {
    /**
     * Takes units for an order, and sells them if it is complete. Returns the number of units that
     * the order reserves.
     */
    takeUnits: (
      context: RequestContext,
      petId: number,
      quantity: number,
      complete: boolean
    ): Program<number, UnknownPet | InsufficientStock> =>
      move(context, petId, (before) => {
        const taken = ordering.take(petId, before, quantity)
        return complete
          ? Either.map(taken, ({ stock, held }) => ({ stock: ordering.sell(stock, held), held }))
          : taken
      }),

    /** Gives back the units that an open order reserved. */
    giveBackUnits: (
      context: RequestContext,
      petId: number,
      held: number
    ): Program<number, UnknownPet> =>
      move(context, petId, (before) =>
        Either.right({ stock: ordering.giveBack(before, held), held })
      ),

    /** Sells the units that an order reserved. */
    sellUnits: (
      context: RequestContext,
      petId: number,
      held: number
    ): Program<number, UnknownPet> =>
      move(context, petId, (before) => Either.right({ stock: ordering.sell(before, held), held }))
  }
}
