/** Decides the type of a change from the record before and after it. */
import type { InventoryRow } from "../inventory/rows.js"
import type { OrderRow } from "../order/rows.js"
import type { ChangeType, RecordKind } from "./Change.js"

// Literals, because a concatenated string would be a new one in memory for every change.
const TYPES = {
  pet: { created: "pet.created", updated: "pet.updated", deleted: "pet.deleted" },
  category: { created: "category.created", updated: "category.updated", deleted: "category.deleted" },
  order: { created: "order.placed", updated: "order.updated", deleted: "order.cancelled" },
  inventory: { created: "inventory.created", updated: "inventory.updated", deleted: "inventory.deleted" }
} as const satisfies Record<RecordKind, Record<"created" | "updated" | "deleted", ChangeType>>

/**
 * Each change has exactly one type, the most specific one. An order placed as complete is
 * `order.placed`; `order.completed` needs an order that was open before. `inventory.depleted` is a
 * quantity that was above 0 and is 0 now.
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
