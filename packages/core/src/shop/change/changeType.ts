/** Decides what a change is called, from the record before and after it. */
import type { InventoryRow } from "../inventory/rows.js"
import type { OrderRow } from "../order/rows.js"
import type { ChangeType, RecordKind } from "./Change.js"

// Each is written out: one that is put together is a new text for every change, which a store in
// memory keeps.
const TYPES = {
  pet: { created: "pet.created", updated: "pet.updated", deleted: "pet.deleted" },
  category: { created: "category.created", updated: "category.updated", deleted: "category.deleted" },
  order: { created: "order.placed", updated: "order.updated", deleted: "order.cancelled" },
  inventory: { created: "inventory.created", updated: "inventory.updated", deleted: "inventory.deleted" }
} as const satisfies Record<RecordKind, Record<"created" | "updated" | "deleted", ChangeType>>

/**
 * Exactly one type for each change: the most telling one. An order that is placed complete is
 * `order.placed`, with a record that is complete; `order.completed` is one that was open before.
 * `inventory.depleted` is stock that was there and is gone.
 */
export const changeType = (kind: RecordKind, before: object | null, after: object | null): ChangeType => {
  if (before === null) return TYPES[kind].created
  if (after === null) return TYPES[kind].deleted
  if (kind === "order" && becameComplete(before, after)) return "order.completed"
  if (kind === "inventory" && ranOut(before, after)) return "inventory.depleted"
  return TYPES[kind].updated
}

const becameComplete = (before: Partial<OrderRow>, after: Partial<OrderRow>): boolean =>
  before.complete === false && after.complete === true

const ranOut = (before: Partial<InventoryRow>, after: Partial<InventoryRow>): boolean =>
  (before.quantity ?? 0) > 0 && after.quantity === 0
