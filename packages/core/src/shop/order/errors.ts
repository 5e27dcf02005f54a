/** Errors about orders. Callers switch on `code`. */
import * as Data from "effect/Data"

/**
 * A completed order is final: its pet, quantity and completion can't change, and it can't be
 * cancelled.
 */
export class OrderCompleted extends Data.TaggedError("OrderCompleted")<{
  readonly orderId: number
}> {
  readonly code = "order_completed"
  override get message(): string {
    return (
      `order ${this.orderId} is complete, which can't be undone; only its shipDate may still ` +
      "change"
    )
  }
}
