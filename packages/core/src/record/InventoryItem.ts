/** Inventory entries: how many of a pet are still for sale (SPEC.md §2). */
import { Id } from "./Id.js"
import { PetStatus } from "./PetStatus.js"
import { StockQuantity } from "./Quantity.js"
import { type RecordOf, shape } from "./Shape.js"

export const InventoryUpdate = shape("InventoryUpdate", { quantity: StockQuantity })
export type InventoryUpdate = RecordOf<typeof InventoryUpdate>

export const InventoryItem = shape("InventoryItem", {
  petId: Id,
  quantity: StockQuantity,
  status: PetStatus
})
export type InventoryItem = RecordOf<typeof InventoryItem>
