/** Errors about stock. Callers switch on `code`. */
import * as Data from "effect/Data"

/**
 * Fewer units are for sale than the order wants. Order fewer, or wait until some are returned or
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
 * Units on order return when their order is cancelled, and the stock would then exceed its bound.
 * Set fewer.
 */
export class StockLimitExceeded extends Data.TaggedError("StockLimitExceeded")<{
  readonly petId: number
  readonly wanted: number
  /** The maximum while this number is on order. */
  readonly most: number
  readonly onOrder: number
}> {
  readonly code = "stock_limit_exceeded"
  override get message(): string {
    return (
      `quantity: ${this.wanted} of pet ${this.petId} wanted, at most ${this.most} while ` +
      `${this.onOrder} on order may come back`
    )
  }
}
