/**
 * Checks that each record equals its last change in the feed, if the feed still has one in the
 * current format. If the feed has the creation of some record, it must have changes of all later
 * ones; if it has the very first change, of all records. So the check also finds a feed that has
 * lost its end.
 */
import { RECORD_KINDS, type RecordKind } from "@petstore/core"
import { RECORD_COLLECTIONS } from "@petstore/core/storage"
import { sqlName } from "../base/names.js"
import { rowCodec } from "../codec/RowCodec.js"

/**
 * The id from which on every record must have a change. Not for collections whose ids callers
 * choose, since those ids are not in the order of creation.
 */
const firstIdWithChange = (code: number): string => `CASE WHEN (SELECT min(id) FROM changes) > 1
  THEN (SELECT min(record_id) FROM changes WHERE kind = ${code} AND before IS NULL) ELSE 1 END`

const ofKind = (kind: RecordKind, code: number): ReadonlyArray<string> => {
  const collection = RECORD_COLLECTIONS[kind]
  const table = sqlName(collection.name)
  const members = ["id", "revision", ...rowCodec(collection).sqlColumns]
  const differs = members.map(
    (name, at) => `json_extract(after, '$[${at + 1}]') IS NOT ${table}.${name}`
  )
  // Not compared: invalid JSON, which another check finds, and objects, which are in an older
  // format.
  return [
    `SELECT '${kind} ' || ${table}.id || ': ' || CASE WHEN after IS NULL THEN 'was removed by'
        ELSE 'differs from its last change,' END || ' change ' || latest.id
      FROM latest JOIN ${table} ON ${table}.id = record_id
      WHERE kind = ${code}
        AND (after IS NULL OR CASE WHEN json_valid(after) AND json_type(after) = 'array'
          THEN ${differs.join(" OR ")} ELSE 0 END)`,
    `SELECT '${kind} ' || record_id || ': is missing, although change ' || id
        || ', its last one, stored it'
      FROM latest
      WHERE kind = ${code} AND after IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = record_id)`,
    ...(collection.key === "given"
      ? []
      : [
          `SELECT '${kind} ' || id || ': has no change' FROM ${table}
      WHERE id >= ${firstIdWithChange(code)}
        AND id NOT IN (SELECT record_id FROM latest WHERE kind = ${code})`
        ])
  ]
}

/**
 * The last change of each record that has one. SQLite takes `after` from the row that has the
 * greatest id.
 */
const LATEST = "SELECT kind, record_id, max(id) AS id, after FROM changes GROUP BY kind, record_id"

/** One query for all record types. */
export const LAST_CHANGES = `WITH latest AS MATERIALIZED (${LATEST})
  ${RECORD_KINDS.flatMap(ofKind).join(" UNION ALL ")}`
