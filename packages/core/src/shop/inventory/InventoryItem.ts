/** Inventory entries: how many of a pet are still for sale (SPEC.md §2). */
import { Id } from "../../value/Id.js"
import { PetStatus } from "../pet/PetStatus.js"
import { StockQuantity } from "../../value/Quantity.js"
import { type RecordOf, struct } from "../../value/Struct.js"

/** The input for setting an entry: the new count. */
export const InventoryUpdate = struct("InventoryUpdate", { quantity: StockQuantity })
export interface InventoryUpdate extends RecordOf<typeof InventoryUpdate> {}

/** An inventory entry as callers see it. `quantity` is for sale, and `status` follows from it. */
export const InventoryItem = struct("InventoryItem", {
  petId: Id,
  quantity: StockQuantity,
  status: PetStatus
})
export interface InventoryItem extends RecordOf<typeof InventoryItem> {}
