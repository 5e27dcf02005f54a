/** The feed of changes as it is stored. */
import { categories, type CategoryRow } from "../category/rows.js"
import { inventory, type InventoryRow } from "../inventory/rows.js"
import { type OrderRow, orders } from "../order/rows.js"
import { type PetRow, pets } from "../pet/rows.js"
import { CHANGE_TYPES, type ChangeType, RECORD_KINDS, type RecordKind } from "./Change.js"
import type { Collection, Index, Row } from "../../engine/program/Collection.js"
import { text, integer, optionalText, optionalInteger, optionalImage } from "../../engine/program/columns.js"

/** A stored row of any record that is in the feed. */
export type RecordRow = PetRow | CategoryRow | OrderRow | InventoryRow

/** Where the records of each kind are stored. */
export const RECORD_COLLECTIONS: Readonly<Record<RecordKind, Collection<Row>>> = {
  pet: pets,
  category: categories,
  order: orders,
  inventory
}

/** One change of one record of the shop. */
export type ChangeRow = {
  /** Its place in the feed. */
  readonly id: number
  readonly revision: number
  readonly atMs: number
  readonly type: ChangeType
  readonly kind: RecordKind
  readonly recordId: number
  readonly accountId: number | null
  readonly requestId: string | null
  /** The record's whole row; null where there was none. */
  readonly before: RecordRow | null
  /** The same after the change; null where it is gone. */
  readonly after: RecordRow | null
}

/**
 * Changes by the record they are of. Every write of a record would pay for a list of them, and one
 * is read when somebody asks what happened.
 */
export const HISTORY_INDEX: Index = { name: "record", on: ["recordId", "kind"], sort: "id", scanned: true }

/** What has happened to records, in order. */
export const changes: Collection<ChangeRow> = {
  name: "changes",
  key: "assigned",
  columns: {
    atMs: integer,
    type: { type: "text", values: CHANGE_TYPES },
    kind: { type: "text", values: RECORD_KINDS },
    recordId: integer,
    accountId: optionalInteger,
    requestId: optionalText,
    before: optionalImage,
    after: optionalImage
  },
  indexes: [HISTORY_INDEX]
}

/** What names a store's feed: one row, with the id 1, made when it is first asked for. */
export type FeedEpochRow = { readonly id: number; readonly revision: number; readonly epoch: string }

/** The name of the feed. */
export const feedEpochs: Collection<FeedEpochRow> = {
  name: "feedEpochs",
  key: "given",
  columns: { epoch: text },
  indexes: []
}
