/**
 * A change of one record, as readers of the feed get it: its type, its time, and the record before
 * and after.
 */
import type { ChangeNames, RecordType } from "../RecordType.js"
import { RECORD_TYPES } from "../records.js"
import type { categoryType } from "../category/rows.js"
import type { inventoryType } from "../inventory/rows.js"
import type { orderType } from "../order/rows.js"
import type { petType } from "../pet/rows.js"

type Types = (typeof RECORD_TYPES)[number]

/** A kind of record whose changes are in the feed. */
export type RecordKind = Types["kind"]

/** The kinds of records that are in the feed. */
export const RECORD_KINDS: ReadonlyArray<RecordKind> = RECORD_TYPES.map(({ kind }) => kind)

/** A type of change. */
export type ChangeType = NameIn<Types["changes"]>

type NameIn<Names> = Names extends unknown ? Names[keyof Names] : never

/** In the order in which storages number them. */
const namesOf = ({
  created,
  updated,
  special,
  deleted
}: ChangeNames<string>): ReadonlyArray<string> =>
  special === undefined ? [created, updated, deleted] : [created, updated, special, deleted]

/**
 * Every type of change. Storages store a type as its index in this array. The cast says that the
 * names of a declaration are those of its type.
 */
export const CHANGE_TYPES = RECORD_TYPES.flatMap((type) =>
  namesOf(type.changes)
) as ReadonlyArray<ChangeType>

type ChangeFields = {
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

type Creation<Type, Record> = ChangeFields & {
  readonly type: Type
  readonly record: Record
  readonly before?: never
  /** The record's revision after the change. */
  readonly revision: number
}

type Update<Type, Record> = ChangeFields & {
  readonly type: Type
  readonly record: Record
  /** The record before the change. Only in this process, never over HTTP. */
  readonly before: Record
  readonly revision: number
}

type Removal<Type, Record> = ChangeFields & {
  readonly type: Type
  readonly record?: never
  readonly before: Record
  readonly revision?: never
}

type Special<Names, Record> = Names extends { readonly special: infer Name }
  ? Update<Name, Record>
  : never

/** The changes of a record type. */
type ChangeIn<T> =
  T extends RecordType<infer _Kind, infer _Row, infer Record, infer Names>
    ? | Creation<Names["created"], Record>
      | Update<Names["updated"], Record>
      | Special<Names, Record>
      | Removal<Names["deleted"], Record>
    : never

/** A change of a pet. */
export type PetChange = ChangeIn<typeof petType>

/** A change of a category. */
export type CategoryChange = ChangeIn<typeof categoryType>

/** A change of an order. */
export type OrderChange = ChangeIn<typeof orderType>

/** A change of an inventory entry. */
export type InventoryChange = ChangeIn<typeof inventoryType>

/** One change of one record. `type` decides the type of `record` and `before`. */
export type Change = ChangeIn<Types>

/**
 * Sent instead of changes that are no longer stored, or when the requested position belongs to
 * another store. The reader loads the shop again and continues after `sequence`.
 */
export type Resync = { readonly type: "resync"; readonly sequence: number }
