/** Decides the type of a change from the record before and after it. */
import type { Row } from "../../engine/program/Collection.js"
import type { RecordType } from "../RecordType.js"
import { RECORD_TYPES } from "../records.js"
import type { ChangeType, RecordKind } from "./Change.js"

const TYPES = new Map<RecordKind, RecordType>(RECORD_TYPES.map((type) => [type.kind, type]))

/** The declaration of a kind of record. */
export const recordTypeOf = (kind: RecordKind): RecordType => {
  const type = TYPES.get(kind)
  if (type === undefined) throw new Error(`there is no record type ${kind}`)
  return type
}

/**
 * Each change has exactly one type, the most specific one. The cast holds because the names of all
 * record types are the change types.
 */
export const changeType = (
  kind: RecordKind,
  before: object | null,
  after: object | null
): ChangeType =>
  changeName(recordTypeOf(kind), before as Row | null, after as Row | null) as ChangeType

const changeName = (type: RecordType, before: Row | null, after: Row | null): string => {
  const { created, updated, special, deleted } = type.changes
  if (before === null) return created
  if (after === null) return deleted
  return special !== undefined && type.isSpecial?.(before, after) === true ? special : updated
}
