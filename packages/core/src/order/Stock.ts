/** The units of one pet: for sale, in open orders, sold. Whatever moves, their sum changes only when stock is counted anew. */
import type { PetStatus } from "../record/PetStatus.js"

export type Stock = {
  readonly forSale: number
  readonly onOrder: number
  readonly sold: number
}

/** Something for sale: available. Nothing left but open orders: pending. Neither: sold. */
export const statusOf = (stock: Stock): PetStatus =>
  stock.forSale > 0 ? "available" : stock.onOrder > 0 ? "pending" : "sold"
