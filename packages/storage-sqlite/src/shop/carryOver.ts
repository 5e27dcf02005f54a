/**
 * Carries state of a replaced store over into the restored one: no id and no revision is assigned
 * twice, limits and bans of callers stay in force, and revoked keys stay revoked.
 *
 * All of it is SQL on a connection that has the replaced file as `main` and the copy as `restored`.
 */
import { RECORD_KINDS } from "@petstore/core"
import { COLLECTIONS, type Collection, RECORD_COLLECTIONS, type Row } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import { inTransaction } from "../driver/transaction.js"
import { sqlName } from "../base/names.js"
import { isWriteFailure } from "../base/sqliteFailure.js"
import { FIRST_WITH_LAST_IDS } from "../migrations/version.js"
import { hasTable } from "../schema/hasTable.js"
import type { CarriedOver, NotCarriedOver } from "./CarriedOver.js"
import { carryWebhooks, storeSkippedIds } from "./carryWebhooks.js"
import { lastIdIn, type Schemas } from "./lastId.js"
import { LOSSES } from "./losses.js"

const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS

/** Without the changes: the restored feed has a new epoch, in which their ids have no gap. */
const TABLES_WITH_ASSIGNED_IDS = collections
  .filter(({ key, name }) => key === "assigned" && name !== "changes")
  .map(({ name }) => sqlName(name))

/** Either file may be of a schema that does not have the table yet. */
const carryId = (file: Connection, table: string, { replaced, restored }: Schemas): number => {
  const lastId = lastIdIn(file, "main", table, replaced)
  if (lastId <= lastIdIn(file, "restored", table, restored)) return 0
  if (restored >= FIRST_WITH_LAST_IDS) {
    file.command("INSERT OR REPLACE INTO restored.last_ids VALUES (?, ?)").run(table, lastId)
  } else {
    file.command("DELETE FROM restored.sqlite_sequence WHERE name = ?").run(table)
    file.command("INSERT INTO restored.sqlite_sequence VALUES (?, ?)").run(table, lastId)
  }
  return 1
}

/**
 * The JSON path of the revision in the image of a record: an array that begins with the number of
 * the table, or an object.
 */
const REVISION = "CASE json_type(image) WHEN 'array' THEN '$[2]' ELSE '$.revision' END"

/**
 * An id and a revision identify one state of a record for ever, as its ETag. If a record was
 * changed or removed after the backup, its restored state must get a revision that it never had.
 */
const carryRevisions = (file: Connection, table: string, code: number): number => {
  if (!hasTable(file, table) || !hasTable(file, table, "restored")) return 0
  file.exec(`
    CREATE TEMP TABLE new_revisions AS
      SELECT restored.${table}.id AS id, max(old_revisions.revision) + 1 AS revision
      FROM restored.${table} JOIN (
        SELECT id, revision FROM main.${table}
        UNION ALL SELECT record_id, json_extract(before, ${REVISION.replaceAll("image", "before")})
          FROM main.changes
          WHERE kind = ${code} AND after IS NULL AND json_valid(before)
      ) AS old_revisions USING (id)
      WHERE old_revisions.revision > restored.${table}.revision GROUP BY id;
    UPDATE restored.${table}
      SET revision = (SELECT revision FROM new_revisions WHERE new_revisions.id = ${table}.id)
      WHERE id IN (SELECT id FROM new_revisions);
    UPDATE restored.changes SET after = json_set(after, ${REVISION.replaceAll("image", "after")},
        (SELECT revision FROM new_revisions WHERE new_revisions.id = record_id))
      WHERE id IN (SELECT max(id) FROM restored.changes
        WHERE kind = ${code} AND record_id IN (SELECT id FROM new_revisions)
        GROUP BY record_id) AND json_valid(after);`)
  const count = file.values<number>("SELECT count(*) FROM new_revisions").get() ?? 0
  file.exec("DROP TABLE temp.new_revisions")
  return count
}

const carryKeys = (file: Connection): number =>
  file
    .command(
      `UPDATE restored.keys SET (revision, expires_ms, revoked_ms, disabled) =
        (SELECT max(old.revision, keys.revision) + 1, old.expires_ms, old.revoked_ms, old.disabled
          FROM main.keys AS old WHERE old.id = keys.id)
      WHERE EXISTS (SELECT 1 FROM main.keys AS old
        WHERE old.id = keys.id AND old.digest = keys.digest
        AND (old.expires_ms IS NOT keys.expires_ms OR old.revoked_ms IS NOT keys.revoked_ms
          OR old.disabled <> keys.disabled))`
    )
    .run().changes

/** The columns of a table in both files: an earlier schema may have fewer. */
const commonColumnsOf = (file: Connection, table: string): string => {
  const query = file.values<string>(
    `SELECT name FROM pragma_table_info(?, 'restored')
      WHERE name IN (SELECT name FROM pragma_table_info(?, 'main'))`
  )
  return query.all(table, table).join(", ")
}

/** Usage of accounts that the replaced store does not have stays as it is in the backup. */
const carryUsage = (file: Connection): number => {
  const columns = commonColumnsOf(file, "usage")
  file.exec(`DELETE FROM restored.usage WHERE caller NOT LIKE 'account:%'
    OR CAST(substr(caller, 9) AS INTEGER) IN (SELECT id FROM main.accounts)`)
  return file
    .command(
      `INSERT OR REPLACE INTO restored.usage (${columns}) SELECT ${columns} FROM main.usage
        WHERE caller NOT LIKE 'account:%'
          OR CAST(substr(caller, 9) AS INTEGER) IN (SELECT id FROM restored.accounts)`
    )
    .run().changes
}

const sumOf = <A>(all: ReadonlyArray<A>, count: (each: A) => number): number =>
  all.reduce((sum, each) => sum + count(each), 0)

/** The result of carrying over. */
export type CarryOverResult = {
  readonly carried: CarriedOver
  readonly notCarried: NotCarriedOver
  /** Whether no read of the replaced file failed. */
  readonly isComplete: boolean
}

/**
 * Carries each part over in its own transaction, since the replaced file may be damaged in parts.
 * Throws if the copy can't be written, since its state is then unknown.
 */
export const carryOver = (file: Connection, schemas: Schemas): CarryOverResult => {
  const notCarried: Array<string> = []
  let isComplete = true
  const attempt = <A>(what: string, fallback: A, work: () => A): A => {
    try {
      // DEFERRED locks only the copy. A commit to both files would need a super-journal.
      return inTransaction(file, "DEFERRED", work)
    } catch (thrown) {
      if (isWriteFailure(thrown)) throw thrown
      isComplete = false
      notCarried.push(`${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      return fallback
    }
  }
  attempt("which webhooks were removed", undefined, () => storeSkippedIds(file, schemas))
  const carried = {
    ids: sumOf(TABLES_WITH_ASSIGNED_IDS, (table) =>
      attempt(`last id of ${table}, so ids may be assigned twice`, 0, () =>
        carryId(file, table, schemas)
      )
    ),
    revisions: sumOf([...RECORD_KINDS.entries()], ([code, kind]) => {
      const table = sqlName(RECORD_COLLECTIONS[kind].name)
      return attempt(`revisions of ${table}, so an ETag may identify two states`, 0, () =>
        carryRevisions(file, table, code)
      )
    }),
    keys: attempt("revocations of keys (check petstore keys list)", 0, () => carryKeys(file)),
    webhooks: attempt(
      "removals, states and secrets of webhooks (check petstore webhooks list)",
      0,
      () => carryWebhooks(file, schemas)
    ),
    callers: attempt("counts and bans of callers, which start at zero", 0, () => carryUsage(file))
  }
  for (const { name: what, describe } of LOSSES) {
    const description = attempt(what, undefined, () => describe(file, schemas))
    if (description !== undefined) notCarried.push(description)
  }
  return { carried, notCarried, isComplete }
}
