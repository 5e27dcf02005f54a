/** The record types of the shop and their operations: the one place where each is registered. */
import { categoryOperations } from "./category/operations.js"
import { categoryType } from "./category/rows.js"
import type { RecordWrites } from "./RecordWrites.js"
import { inventoryOperations, isStocked } from "./inventory/operations.js"
import { inventoryType } from "./inventory/rows.js"
import type { OrderingRules } from "./order/OrderingPolicy.js"
import { orderOperations } from "./order/operations.js"
import { orderType } from "./order/rows.js"
import { petOperations } from "./pet/operations.js"
import { petType } from "./pet/rows.js"
import type { StatusTransitions } from "./pet/StatusPolicy.js"

/**
 * Every record type whose changes are in the feed. Accounts, keys and anything secret are not.
 * Storages store a kind and a change type by their position in this list, so append new types.
 */
export const RECORD_TYPES = [petType, categoryType, orderType, inventoryType] as const

/** The rules of the records that a host may replace. */
export type RecordRules = {
  readonly ordering: OrderingRules
  readonly transitions: StatusTransitions
}

/** Makes the operations on records, in groups. */
export const recordOperations = (
  { ordering, transitions }: RecordRules,
  records: RecordWrites
) => ({
  /** The kinds of animals. */
  categories: categoryOperations(records),
  /** The animals. */
  pets: petOperations(transitions, isStocked, records),
  /** The orders for animals. */
  orders: orderOperations(ordering, records),
  /** The stock of animals: how many are for sale. */
  inventory: inventoryOperations(records)
})

/** The groups of operations on records. */
export interface RecordGroups extends ReturnType<typeof recordOperations> {}

/** The names of the groups, in the order of the record types: those of their collections. */
export const RECORD_GROUPS = RECORD_TYPES.map(
  ({ collection }) => collection.name as keyof RecordGroups
)
