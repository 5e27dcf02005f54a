/** Decides what a change is called, from the record before and after it. */
import type { InventoryRow, OrderRow } from "../shop/rows.js"
import type { ChangeType, RecordKind } from "./Change.js"

/**
 * Exactly one type for each change: the most telling one. An order that is placed complete is `order.placed`, with a record that is
 * complete; `order.completed` is one that was open before. `inventory.depleted` is stock that was there and is gone.
 */
export const changeType = (kind: RecordKind, before: object | null, after: object | null): ChangeType => {
  if (before === null) return kind === "order" ? "order.placed" : `${kind}.created`
  if (after === null) return kind === "order" ? "order.cancelled" : `${kind}.deleted`
  if (kind === "order" && becameComplete(before, after)) return "order.completed"
  if (kind === "inventory" && ranOut(before, after)) return "inventory.depleted"
  return `${kind}.updated`
}

const becameComplete = (before: Partial<OrderRow>, after: Partial<OrderRow>): boolean =>
  before.complete === false && after.complete === true

const ranOut = (before: Partial<InventoryRow>, after: Partial<InventoryRow>): boolean =>
  (before.quantity ?? 0) > 0 && after.quantity === 0
