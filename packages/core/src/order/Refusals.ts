/** Why an order, or a change of stock or status, is refused. Each `code` is what callers switch on. */
import * as Data from "effect/Data"
import type { PetStatus } from "../record/PetStatus.js"

/** Fewer units are for sale than the order wants. Order fewer, or wait until some are given back or restocked. */
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

/** A completed order is final: its pet, quantity and completion can't change, and it can't be cancelled. */
export class OrderCompleted extends Data.TaggedError("OrderCompleted")<{ readonly orderId: number }> {
  readonly code = "order_completed"
  override get message(): string {
    return `order ${this.orderId} is complete, which can't be undone; only its shipDate may still change`
  }
}

/** The status policy in force has no such transition. */
export class InvalidTransition extends Data.TaggedError("InvalidTransition")<{
  readonly from: PetStatus
  readonly to: PetStatus
}> {
  readonly code = "invalid_transition"
  override get message(): string {
    return `status: a pet can't go from ${this.from} to ${this.to}`
  }
}

/** The pet has an inventory entry, so its status is derived from the stock. Change the stock instead. */
export class StatusFollowsStock extends Data.TaggedError("StatusFollowsStock")<{
  readonly petId: number
  readonly status: PetStatus
}> {
  readonly code = "status_follows_stock"
  override get message(): string {
    return `status: pet ${this.petId} has an inventory entry, so its status follows its stock and is ${this.status}`
  }
}
