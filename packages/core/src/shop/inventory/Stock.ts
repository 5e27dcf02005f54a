/**
 * The units of one pet: for sale, in open orders, sold. Moving units keeps the sum; only setting
 * the stock changes it.
 */
import type { PetStatus } from "../pet/PetStatus.js"

/**
 * The units of a pet, by what they are meant for; what orders do is decided on these three numbers,
 * each 0 or more.
 */
export type Stock = {
  readonly forSale: number
  readonly onOrder: number
  readonly sold: number
}

/** Something for sale: available. Nothing left but open orders: pending. Neither: sold. */
export const statusOf = (stock: Stock): PetStatus =>
  stock.forSale > 0 ? "available" : stock.onOrder > 0 ? "pending" : "sold"
