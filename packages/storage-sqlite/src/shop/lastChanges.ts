/**
 * Whether each record is what its last change in the feed says: as far as the feed still has one,
 * and it names the members as their table does. It has one of each record that came after another
 * whose creation it still tells of, and of all as long as it has the first of all changes: so a
 * feed that lost its end is found.
 */
import { RECORD_KINDS, type RecordKind } from "@petstore/core"
import { RECORD_COLLECTIONS } from "@petstore/core/storage"
import { sqlName } from "../base/names.js"
import { rowCodec } from "../codec/RowCodec.js"

/**
 * Ids from which on every record has a change: where rows bring their ids, these say nothing of
 * their order.
 */
const toldFrom = (code: number): string => `CASE WHEN (SELECT min(id) FROM changes) > 1
  THEN (SELECT min(record_id) FROM changes WHERE kind = ${code} AND before IS NULL) ELSE 1 END`

const ofKind = (kind: RecordKind, code: number): ReadonlyArray<string> => {
  const collection = RECORD_COLLECTIONS[kind]
  const table = sqlName(collection.name)
  const members = ["id", "revision", ...rowCodec(collection).sqlColumns]
  const differs = members.map(
    (name, at) => `json_extract(after, '$[${at + 1}]') IS NOT ${table}.${name}`
  )
  // JSON that can't be read is another check's finding, and an object says its members by name:
  // neither is compared.
  return [
    `SELECT '${kind} ' || ${table}.id || ': change ' || latest.id
        || CASE WHEN after IS NULL THEN ' removed it' ELSE ' left it otherwise' END
      FROM latest JOIN ${table} ON ${table}.id = record_id
      WHERE kind = ${code}
        AND (after IS NULL OR CASE WHEN json_valid(after) AND json_type(after) = 'array'
          THEN ${differs.join(" OR ")} ELSE 0 END)`,
    `SELECT '${kind} ' || record_id || ': change ' || id || ' left it there, and it is gone'
      FROM latest
      WHERE kind = ${code} AND after IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = record_id)`,
    ...(collection.key === "given"
      ? []
      : [
          `SELECT '${kind} ' || id || ': no change tells of it' FROM ${table}
      WHERE id >= ${toldFrom(code)}
        AND id NOT IN (SELECT record_id FROM latest WHERE kind = ${code})`
        ])
  ]
}

/**
 * The last change of each record that has one. SQLite takes `after` from the row that has the
 * greatest id.
 */
const LATEST = "SELECT kind, record_id, max(id) AS id, after FROM changes GROUP BY kind, record_id"

/** One query for all of them. */
export const LAST_CHANGES = `WITH latest AS MATERIALIZED (${LATEST})
  ${RECORD_KINDS.flatMap(ofKind).join(" UNION ALL ")}`
