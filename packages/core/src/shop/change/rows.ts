/** The stored form of the feed. */
import { RECORD_TYPES } from "../records.js"
import { CHANGE_TYPES, type ChangeType, RECORD_KINDS, type RecordKind } from "./Change.js"
import type { Collection, Index, Row } from "../../engine/program/Collection.js"
import {
  instant,
  integer,
  optionalImageOf,
  optionalInteger,
  optionalText,
  text
} from "../../engine/program/columns.js"

type Types = (typeof RECORD_TYPES)[number]

/** A row of any record that is in the feed. */
export type RecordRow = Parameters<Types["present"]>[0]

/** The collection of each kind of record. The cast says that the list has every kind. */
export const RECORD_COLLECTIONS = Object.fromEntries(
  RECORD_TYPES.map(({ kind, collection }) => [kind, collection as Collection<Row>])
) as Readonly<Record<RecordKind, Collection<Row>>>

/** The images of a change are rows of the collection of its kind. */
const recordImage = optionalImageOf({
  column: "kind",
  collections: RECORD_KINDS.map((kind) => RECORD_COLLECTIONS[kind])
})

/** One change of one record of the shop. */
export type ChangeRow = {
  /** The sequence of the change. */
  readonly id: number
  readonly revision: number
  readonly atMs: number
  readonly type: ChangeType
  readonly kind: RecordKind
  readonly recordId: number
  readonly accountId: number | null
  readonly requestId: string | null
  /** The whole row before the change; null if the change created the record. */
  readonly before: RecordRow | null
  /** The whole row after the change; null if the change deleted the record. */
  readonly after: RecordRow | null
}

/**
 * Changes by record. No index is stored for it: every write would pay for it, and histories are
 * read rarely.
 */
export const HISTORY_INDEX: Index = {
  name: "record",
  on: ["recordId", "kind"],
  sort: "id",
  unindexed: true
}

/** The changes of all records, in order. */
export const changes: Collection<ChangeRow> = {
  name: "changes",
  key: "assigned",
  columns: {
    atMs: instant,
    type: { type: "text", values: CHANGE_TYPES },
    kind: { type: "text", values: RECORD_KINDS },
    recordId: integer,
    accountId: optionalInteger,
    requestId: optionalText,
    before: recordImage,
    after: recordImage
  },
  indexes: [HISTORY_INDEX]
}

/** The epoch of the feed: one row with the id 1, made when the epoch is first read. */
export type FeedEpochRow = {
  readonly id: number
  readonly revision: number
  readonly epoch: string
}

/** The epoch of the feed. */
export const feedEpochs: Collection<FeedEpochRow> = {
  name: "feedEpochs",
  key: "given",
  columns: { epoch: text },
  indexes: []
}
