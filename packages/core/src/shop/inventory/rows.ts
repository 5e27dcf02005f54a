/** Inventory entries as they are stored. */
import type { PetStatus } from "../pet/PetStatus.js"
import type { Collection } from "../../engine/program/Collection.js"
import { integer } from "../../engine/program/columns.js"
import { statusColumn } from "../pet/rows.js"

/** An inventory entry as it is stored. */
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
export const inventory: Collection<InventoryRow> = {
  name: "inventory",
  key: "given",
  idOf: "pets",
  columns: { quantity: integer, status: statusColumn, onOrder: integer, sold: integer },
  indexes: [
    { name: "status", on: ["status"], sort: "id" },
    { name: "status_quantity", on: ["status"], sort: "quantity" }
  ],
  counts: [{ name: "status", on: ["status"] }]
}
