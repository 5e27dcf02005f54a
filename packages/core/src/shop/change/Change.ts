/**
 * A change of one record, as readers of the feed get it: its type, its time, and the record before
 * and after.
 */
import type { Category } from "../category/Category.js"
import type { InventoryItem } from "../inventory/InventoryItem.js"
import type { Order } from "../order/Order.js"
import type { Pet } from "../pet/Pet.js"

/** The kinds of records that are in the feed. Accounts, keys and anything secret are not. */
export const RECORD_KINDS = ["pet", "category", "order", "inventory"] as const

/** A kind of record whose changes are in the feed. */
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Every type of change. Storages store a type as its index in this array, so append new types. */
export const CHANGE_TYPES = [
  "pet.created",
  "pet.updated",
  "pet.deleted",
  "category.created",
  "category.updated",
  "category.deleted",
  "order.placed",
  "order.updated",
  "order.completed",
  "order.cancelled",
  "inventory.created",
  "inventory.updated",
  "inventory.depleted",
  "inventory.deleted"
] as const

/** A type of change. */
export type ChangeType = (typeof CHANGE_TYPES)[number]

type Told = {
  /** 1, 2, 3 … in the order of the commits, without gaps. */
  readonly sequence: number
  /** RFC 3339, in UTC. */
  readonly at: string
  /** The id of the record. For an inventory entry, the id of the pet. */
  readonly recordId: number
  /** The account of the caller, where there was one. Only in this process, never over HTTP. */
  readonly accountId?: number
  /** The id of the request, where there was one. Only in this process, never over HTTP. */
  readonly requestId?: string
}

type Made<Type, Record> = Told & {
  readonly type: Type
  readonly record: Record
  readonly before?: never
  /** The record's revision after the change. */
  readonly revision: number
}

type Altered<Type, Record> = Told & {
  readonly type: Type
  readonly record: Record
  /** The record before the change. Only in this process, never over HTTP. */
  readonly before: Record
  readonly revision: number
}

type Gone<Type, Record> = Told & {
  readonly type: Type
  readonly record?: never
  readonly before: Record
  readonly revision?: never
}

/** A change of a pet. */
export type PetChange = Made<"pet.created", Pet> | Altered<"pet.updated", Pet> | Gone<"pet.deleted", Pet>

/** A change of a category. */
export type CategoryChange =
  | Made<"category.created", Category>
  | Altered<"category.updated", Category>
  | Gone<"category.deleted", Category>

/** A change of an order. */
export type OrderChange =
  | Made<"order.placed", Order>
  | Altered<"order.updated", Order>
  | Altered<"order.completed", Order>
  | Gone<"order.cancelled", Order>

/** A change of an inventory entry. */
export type InventoryChange =
  | Made<"inventory.created", InventoryItem>
  | Altered<"inventory.updated", InventoryItem>
  | Altered<"inventory.depleted", InventoryItem>
  | Gone<"inventory.deleted", InventoryItem>

/** One change of one record. `type` decides the type of `record` and `before`. */
export type Change = PetChange | CategoryChange | OrderChange | InventoryChange

/**
 * Sent instead of changes that are no longer stored, or when the requested position belongs to
 * another store. The reader loads the shop again and continues after `sequence`.
 */
export type Resync = { readonly type: "resync"; readonly sequence: number }
