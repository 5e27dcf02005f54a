/** Pets, categories, orders and inventory entries as they are stored. */
import { PET_STATUSES, type PetStatus } from "../record/PetStatus.js"
import type { Collection } from "../program/Collection.js"
import { text, integer, boolean, optionalText, optionalInteger, reference } from "../program/columns.js"

const status = { type: "text", values: PET_STATUSES } as const

/** A pet as it is stored. */
export type PetRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  /** The name as it is compared when case does not count. */
  readonly foldedName: string
  readonly categoryId: number
  readonly status: PetStatus
  /** For a pet without an inventory entry: units in open orders and units sold. With an entry, the entry has them. */
  readonly onOrder: number
  readonly sold: number
}

/** The animals. */
export const pets: Collection<PetRow> = {
  name: "pets",
  key: "assigned",
  columns: {
    name: text,
    foldedName: text,
    categoryId: reference("categories"),
    status,
    onOrder: integer,
    sold: integer
  },
  indexes: [
    { name: "status", on: ["status"], sort: "id" },
    { name: "category_status", on: ["categoryId", "status"], sort: "id" },
    { name: "status_name", on: ["status"], sort: "name" },
    { name: "category_status_name", on: ["categoryId", "status"], sort: "name" },
    { name: "status_folded_name", on: ["status"], sort: "foldedName" },
    { name: "category_status_folded_name", on: ["categoryId", "status"], sort: "foldedName" }
  ]
}

/** A category as it is stored. */
export type CategoryRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly foldedName: string
  readonly description: string | null
}

/** Kinds of animals. */
export const categories: Collection<CategoryRow> = {
  name: "categories",
  key: "assigned",
  columns: { name: text, foldedName: text, description: optionalText },
  indexes: [
    { name: "name", on: [], sort: "name" },
    { name: "folded_name", on: [], sort: "foldedName" }
  ]
}

/** An order as it is stored. */
export type OrderRow = {
  readonly id: number
  readonly revision: number
  readonly petId: number | null
  readonly quantity: number | null
  readonly shipDateMs: number | null
  readonly complete: boolean
  /** Units this order keeps from sale while open, or has sold once complete. */
  readonly held: number
}

/** Orders. */
export const orders: Collection<OrderRow> = {
  name: "orders",
  key: "assigned",
  columns: {
    petId: optionalInteger,
    quantity: optionalInteger,
    shipDateMs: optionalInteger,
    complete: boolean,
    held: integer
  },
  indexes: [
    { name: "complete", on: ["complete"], sort: "id" },
    { name: "pet_complete", on: ["petId", "complete"], sort: "id" },
    { name: "complete_ship_date", on: ["complete"], sort: "shipDateMs" },
    { name: "pet_complete_ship_date", on: ["petId", "complete"], sort: "shipDateMs" }
  ]
}

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
  columns: { quantity: integer, status, onOrder: integer, sold: integer },
  indexes: [
    { name: "status", on: ["status"], sort: "id" },
    { name: "status_quantity", on: ["status"], sort: "quantity" }
  ]
}
