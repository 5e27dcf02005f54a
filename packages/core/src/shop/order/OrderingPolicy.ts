/**
 * Whether and how an order takes stock. The specification has no rules for it (SPEC.md §1), so they
 * are a policy: two are built in, and a host may provide its own.
 */
import * as Context from "effect/Context"
import * as Either from "effect/Either"
import { InsufficientStock } from "../inventory/errors.js"
import type { Stock } from "../inventory/Stock.js"

/** The result of taking units: the stock afterwards, and the number of units the order reserves. */
export type StockMove = { readonly stock: Stock; readonly held: number }

/** Total, pure functions. Their results are stored unchanged, so `forSale` must not be negative. */
export type OrderingRules = {
  /** Takes `quantity` units of a pet for an open order, or refuses with the reason. */
  readonly take: (
    petId: number,
    stock: Stock,
    quantity: number
  ) => Either.Either<StockMove, InsufficientStock>
  /** Gives back the units that an open order reserved. */
  readonly giveBack: (stock: Stock, held: number) => Stock
  /** Completes an order: its reserved units are sold. */
  readonly sell: (stock: Stock, held: number) => Stock
  /** Whether a completed order can't be changed any more. */
  readonly completedIsFinal: boolean
}

/**
 * An order takes stock when it is placed and gives it back when it is cancelled. A completed order
 * is a sale and final.
 */
export const takeFromStock: OrderingRules = {
  take: (petId, { forSale, onOrder, sold }, quantity) =>
    quantity <= forSale
      ? Either.right({
          stock: { forSale: forSale - quantity, onOrder: onOrder + quantity, sold },
          held: quantity
        })
      : Either.left(new InsufficientStock({ petId, wanted: quantity, forSale })),
  giveBack: ({ forSale, onOrder, sold }, held) => ({
    forSale: forSale + held,
    onOrder: onOrder - held,
    sold
  }),
  sell: ({ forSale, onOrder, sold }, held) => ({
    forSale,
    onOrder: onOrder - held,
    sold: sold + held
  }),
  completedIsFinal: true
}

/**
 * Orders are only records: they change neither stock nor statuses, and a completed order may be
 * reopened or deleted.
 */
export const recordOnly: OrderingRules = {
  take: (_petId, stock) => Either.right({ stock, held: 0 }),
  giveBack: (stock) => stock,
  sell: (stock) => stock,
  completedIsFinal: false
}

/** The rules of a store: `takeFromStock` unless a host provides others. */
export class OrderingPolicy extends Context.Reference<OrderingPolicy>()(
  "@petstore/core/OrderingPolicy",
  {
    defaultValue: (): OrderingRules => takeFromStock
  }
) {
  static readonly takeFromStock = takeFromStock
  static readonly recordOnly = recordOnly
}
