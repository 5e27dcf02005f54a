/** Inventory entries: how many of a pet are still for sale (SPEC.md §2). */
import * as Schema from "effect/Schema"
import { Id } from "./Id.js"
import { PetStatus } from "./PetStatus.js"
import { StockQuantity } from "./Quantity.js"

export const InventoryUpdate = Schema.Struct({ quantity: StockQuantity }).annotations({
  identifier: "InventoryUpdate"
})
export type InventoryUpdate = typeof InventoryUpdate.Type

export const InventoryItem = Schema.Struct({
  petId: Id,
  quantity: StockQuantity,
  status: PetStatus
}).annotations({ identifier: "InventoryItem" })
export type InventoryItem = typeof InventoryItem.Type
