/** Errors about stock. Callers switch on `code`. */
import * as Data from "effect/Data"

/**
 * Fewer units are for sale than the order wants. Order fewer, or wait until some are given back or
 * restocked.
 */
export class InsufficientStock extends Data.TaggedError("InsufficientStock")<{
  readonly petId: number
  readonly wanted: number
  readonly forSale: number
}> {
  readonly code = "insufficient_stock"
  override get message(): string {
    return `quantity: ${this.wanted} of pet ${this.petId} wanted, ${this.forSale} for sale`
  }
}

/**
 * Units on order come back when their order is cancelled, and the stock would be beyond its bound
 * then. Set fewer.
 */
export class StockLimitExceeded extends Data.TaggedError("StockLimitExceeded")<{
  readonly petId: number
  readonly wanted: number
  /** The most that can be set while so many are on order. */
  readonly most: number
  readonly onOrder: number
}> {
  readonly code = "stock_limit_exceeded"
  override get message(): string {
    return `quantity: ${this.wanted} of pet ${this.petId} wanted, at most ${this.most} while ${this.onOrder} on order may come back`
  }
}
