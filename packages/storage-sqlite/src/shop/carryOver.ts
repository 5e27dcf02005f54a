/**
 * What a restored store takes over from the one it replaces, so that the past which is lost can't
 * be taken for the present: no id, no revision and no request is given twice, and no key that was
 * revoked opens the door again.
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
import { carryWebhooks, noteSkippedIds } from "./carryWebhooks.js"
import { greatestIdIn, type Schemas } from "./greatestId.js"
import { LOSSES } from "./lost.js"

const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS

/**
 * Changes are numbered anew: the restored feed has an epoch of its own, in which they go on without
 * a gap.
 */
const NUMBERED = collections
  .filter(({ key, name }) => key === "assigned" && name !== "changes")
  .map(({ name }) => sqlName(name))

/** Works also where one of the files is of a schema that does not have the table yet. */
const carryId = (file: Connection, table: string, { replaced, restored }: Schemas): number => {
  const given = greatestIdIn(file, "main", table, replaced)
  if (given <= greatestIdIn(file, "restored", table, restored)) return 0
  if (restored >= FIRST_WITH_LAST_IDS) {
    file.command("INSERT OR REPLACE INTO restored.last_ids VALUES (?, ?)").run(table, given)
  } else {
    file.command("DELETE FROM restored.sqlite_sequence WHERE name = ?").run(table)
    file.command("INSERT INTO restored.sqlite_sequence VALUES (?, ?)").run(table, given)
  }
  return 1
}

/**
 * The revision in a record as a change has it: an array led by the number of its table, or an
 * object.
 */
const REVISION = "CASE json_type(image) WHEN 'array' THEN '$[2]' ELSE '$.revision' END"

/**
 * An id and a revision name one state of a record for ever, as its ETag. A record that was changed,
 * or removed, after the backup had revisions that its restored state must not have again.
 */
const carryRevisions = (file: Connection, table: string, code: number): number => {
  if (!hasTable(file, table) || !hasTable(file, table, "restored")) return 0
  file.exec(`
    CREATE TEMP TABLE raised AS
      SELECT restored.${table}.id AS id, max(had.revision) + 1 AS revision
      FROM restored.${table} JOIN (
        SELECT id, revision FROM main.${table}
        UNION ALL SELECT record_id, json_extract(before, ${REVISION.replaceAll("image", "before")})
          FROM main.changes
          WHERE kind = ${code} AND after IS NULL AND json_valid(before)
      ) AS had USING (id)
      WHERE had.revision > restored.${table}.revision GROUP BY id;
    UPDATE restored.${table}
      SET revision = (SELECT revision FROM raised WHERE raised.id = ${table}.id)
      WHERE id IN (SELECT id FROM raised);
    UPDATE restored.changes SET after = json_set(after, ${REVISION.replaceAll("image", "after")},
        (SELECT revision FROM raised WHERE raised.id = record_id))
      WHERE id IN (SELECT max(id) FROM restored.changes
        WHERE kind = ${code} AND record_id IN (SELECT id FROM raised)
        GROUP BY record_id) AND json_valid(after);`)
  const raised = file.values<number>("SELECT count(*) FROM raised").get() ?? 0
  file.exec("DROP TABLE temp.raised")
  return raised
}

const carryKeys = (file: Connection): number =>
  file
    .command(
      `UPDATE restored.keys SET (revision, expires_ms, revoked_ms, disabled) =
        (SELECT max(was.revision, keys.revision) + 1, was.expires_ms, was.revoked_ms, was.disabled
          FROM main.keys AS was WHERE was.id = keys.id)
      WHERE EXISTS (SELECT 1 FROM main.keys AS was
        WHERE was.id = keys.id AND was.digest = keys.digest
        AND (was.expires_ms IS NOT keys.expires_ms OR was.revoked_ms IS NOT keys.revoked_ms
          OR was.disabled <> keys.disabled))`
    )
    .run().changes

/** The columns of a table that both files have: those of an earlier schema may be fewer. */
const columnsOf = (file: Connection, table: string): string => {
  const inBoth = file.values<string>(
    `SELECT name FROM pragma_table_info(?, 'restored')
      WHERE name IN (SELECT name FROM pragma_table_info(?, 'main'))`
  )
  return inBoth.all(table, table).join(", ")
}

/** Those of accounts that the replaced store does not have are kept: it says nothing of them. */
const carryUsage = (file: Connection): number => {
  const columns = columnsOf(file, "usage")
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

/** What became of it. */
export type Carry = {
  readonly carried: CarriedOver
  readonly notCarried: NotCarriedOver
  /** Whether all of the replaced file that was looked at could be read. */
  readonly isComplete: boolean
}

/**
 * Takes over what can be, each part by itself, since the replaced file may be damaged in parts.
 * Throws where the copy can't be written: then nothing is known of what it has.
 */
export const carryOver = (file: Connection, schemas: Schemas): Carry => {
  const notCarried: Array<string> = []
  let isComplete = true
  const attempt = <A>(what: string, otherwise: A, work: () => A): A => {
    try {
      // Takes the lock of the copy alone: a commit to both files would need a third one.
      return inTransaction(file, "DEFERRED", work)
    } catch (thrown) {
      if (isWriteFailure(thrown)) throw thrown
      isComplete = false
      notCarried.push(`${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      return otherwise
    }
  }
  attempt("which webhooks were removed", undefined, () => noteSkippedIds(file, schemas))
  const carried = {
    ids: sumOf(NUMBERED, (table) =>
      attempt(`ids of ${table}, which may be given again`, 0, () => carryId(file, table, schemas))
    ),
    revisions: sumOf([...RECORD_KINDS.entries()], ([code, kind]) => {
      const table = sqlName(RECORD_COLLECTIONS[kind].name)
      return attempt(`revisions of ${table}, so that an ETag may mean two states`, 0, () =>
        carryRevisions(file, table, code)
      )
    }),
    keys: attempt("revocations of keys: look through petstore keys list", 0, () => carryKeys(file)),
    webhooks: attempt(
      "removals, states and secrets of webhooks: look through petstore webhooks list",
      0,
      () => carryWebhooks(file, schemas)
    ),
    callers: attempt("counts and bans of callers, which start anew", 0, () => carryUsage(file))
  }
  for (const { what, tell } of LOSSES) {
    const told = attempt(what, undefined, () => tell(file, schemas))
    if (told !== undefined) notCarried.push(told)
  }
  return { carried, notCarried, isComplete }
}
