/** The stored form of inventory entries, and their presentation. */
import { recordType } from "../RecordType.js"
import { InventoryItem } from "./InventoryItem.js"
import type { PetStatus } from "../pet/PetStatus.js"
import { collectionOf } from "../../engine/program/Collection.js"
import { integer } from "../../engine/program/columns.js"
import { pets, statusColumn } from "../pet/rows.js"

/** The stored form of an inventory entry. */
export type InventoryRow = {
  /** The pet's id. */
  readonly id: number
  readonly revision: number
  readonly quantity: number
  readonly status: PetStatus
  readonly onOrder: number
  readonly sold: number
}

/** The stock of pets, by the pet's id. */
export const inventory = collectionOf<InventoryRow>()({
  name: "inventory",
  key: "given",
  idOf: pets,
  columns: { quantity: integer, status: statusColumn, onOrder: integer, sold: integer },
  indexes: [
    { name: "status", on: ["status"], sort: "id" },
    { name: "status_quantity", on: ["status"], sort: "quantity" }
  ],
  counts: [{ name: "status", on: ["status"] }]
})

export const presentItem = ({ id, quantity, status }: InventoryRow): InventoryItem => ({
  petId: id,
  quantity,
  status
})

/**
 * Inventory entries in the feed. `inventory.depleted` is a quantity that was above 0 and is 0 now.
 */
export const inventoryType = recordType({
  kind: "inventory",
  collection: inventory,
  struct: InventoryItem,
  present: presentItem,
  changes: {
    created: "inventory.created",
    updated: "inventory.updated",
    special: "inventory.depleted",
    deleted: "inventory.deleted"
  },
  isSpecial: (before, after) => before.quantity > 0 && after.quantity === 0
})
