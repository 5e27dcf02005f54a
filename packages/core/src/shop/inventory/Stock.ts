/**
 * The units of one pet: for sale, in open orders, sold. Moving units keeps the sum; only setting
 * the stock changes it.
 */
import type { PetStatus } from "../pet/PetStatus.js"

/**
 * The units of a pet by their use. The rules of orders decide on these three numbers, each 0 or
 * more.
 */
export type Stock = {
  readonly forSale: number
  readonly onOrder: number
  readonly sold: number
}

/** `available` if units are for sale, `pending` if there are only open orders, otherwise `sold`. */
export const statusOf = (stock: Stock): PetStatus =>
  stock.forSale > 0 ? "available" : stock.onOrder > 0 ? "pending" : "sold"
