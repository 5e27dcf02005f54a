/**
 * What an order does to stock. The specification shows no rules (SPEC.md §1), so they are a policy:
 * these two are built in, and a host may bring its own.
 */
import * as Context from "effect/Context"
import * as Either from "effect/Either"
import { InsufficientStock } from "../inventory/errors.js"
import type { Stock } from "../inventory/Stock.js"

/**
 * What taking units came to: the stock afterwards, and how many units the order now keeps from
 * sale.
 */
export type Taken = { readonly stock: Stock; readonly held: number }

/**
 * Total, pure functions. What they return is stored as it is, so `forSale` must not go below zero.
 */
export type OrderingRules = {
  /** Takes `quantity` units of a pet for an open order, or says why it can't. */
  readonly take: (
    petId: number,
    stock: Stock,
    quantity: number
  ) => Either.Either<Taken, InsufficientStock>
  /** Gives back the units an open order held. */
  readonly giveBack: (stock: Stock, held: number) => Stock
  /** Completes an order: the units it held are sold. */
  readonly sell: (stock: Stock, held: number) => Stock
  /** Whether a completed order is beyond change. */
  readonly completedIsFinal: boolean
}

/**
 * Orders take from stock at once and give back when cancelled; a completed order is a sale and
 * final.
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
 * Orders are records and touch nothing: not stock, not statuses, and a completed one may be
 * reopened or deleted.
 */
export const recordOnly: OrderingRules = {
  take: (_petId, stock) => Either.right({ stock, held: 0 }),
  giveBack: (stock) => stock,
  sell: (stock) => stock,
  completedIsFinal: false
}

/** The rules in force; `takeFromStock` unless a host provides others. */
export class OrderingPolicy extends Context.Reference<OrderingPolicy>()(
  "@petstore/core/OrderingPolicy",
  {
    defaultValue: (): OrderingRules => takeFromStock
  }
) {
  static readonly takeFromStock = takeFromStock
  static readonly recordOnly = recordOnly
}
