/**
 * What a reader of the feed is told of one change of one record: its type, when, and the record
 * before and after.
 */
import type { Category } from "../category/Category.js"
import type { InventoryItem } from "../inventory/InventoryItem.js"
import type { Order } from "../order/Order.js"
import type { Pet } from "../pet/Pet.js"

/**
 * The kinds of records that have a place in the feed. Nothing else has: no account, no key, nothing
 * secret.
 */
export const RECORD_KINDS = ["pet", "category", "order", "inventory"] as const

/** A kind of record whose changes are told. */
export type RecordKind = (typeof RECORD_KINDS)[number]

/**
 * Every type of change. Storages keep a type by its place here, so a new one is added at the end.
 */
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
  /** 1, 2, 3 … in the order of the commits, without a gap. */
  readonly sequence: number
  /** RFC 3339, in UTC. */
  readonly at: string
  /** The record's id; of an inventory entry, the pet's. */
  readonly recordId: number
  /** The account that asked, where there was one. In process only. */
  readonly accountId?: number
  /** The request that asked, where it came as one. In process only. */
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
  /** The record as it was. In process only. */
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

/** One change of one record; `type` tells which kind `record` and `before` are of. */
export type Change = PetChange | CategoryChange | OrderChange | InventoryChange

/**
 * Told in place of changes that can't be: they are no longer kept, or the place that was asked for
 * is another store's. The reader loads the shop anew and goes on after `sequence`.
 */
export type Resync = { readonly type: "resync"; readonly sequence: number }
