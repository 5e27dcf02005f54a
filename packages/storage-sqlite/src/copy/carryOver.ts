/**
 * What a restored store takes over from the one it replaces, so that the past which is lost can't
 * be taken for the present: no id, no revision and no request is given twice, and no key that was
 * revoked opens the door again.
 *
 * All of it is SQL on a connection that has the replaced file as `main` and the copy as `restored`.
 */
import { COLLECTIONS, type Collection, RECORD_COLLECTIONS, RECORD_KINDS, type Row } from "@petstore/core"
import type { Database } from "better-sqlite3"
import { sqlName } from "../names.js"
import type { CarriedOver, NotCarriedOver } from "./CarriedOver.js"

const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS

/**
 * Changes are numbered anew: the restored feed has an epoch of its own, in which they go on without
 * a gap.
 */
const NUMBERED = collections
  .filter(({ key, name }) => key === "assigned" && name !== "changes")
  .map(({ name }) => sqlName(name))

/**
 * From this schema on the last ids are noted in `last_ids`; before, SQLite kept them for itself.
 */
const FIRST_WITH_LAST_IDS = 3

const greatest = (schema: string, table: string, version: number): string => {
  const noted =
    version < FIRST_WITH_LAST_IDS
      ? `SELECT seq FROM ${schema}.sqlite_sequence WHERE name = '${table}'`
      : `SELECT id FROM ${schema}.last_ids WHERE name = '${table}'`
  return `max(coalesce((SELECT max(id) FROM ${schema}.${table}), 0), coalesce((${noted}), 0))`
}

type Schemas = { readonly replaced: number; readonly restored: number }

const carryId = (file: Database, table: string, { replaced, restored }: Schemas): number => {
  const ids = file
    .prepare<[], { readonly given: number; readonly known: number }>(
      `SELECT ${greatest("main", table, replaced)} AS given, ${greatest("restored", table, restored)} AS known`
    )
    .get()
  if (ids === undefined || ids.given <= ids.known) return 0
  if (restored >= FIRST_WITH_LAST_IDS) {
    file.prepare("INSERT OR REPLACE INTO restored.last_ids VALUES (?, ?)").run(table, ids.given)
  } else {
    file.prepare("DELETE FROM restored.sqlite_sequence WHERE name = ?").run(table)
    file.prepare("INSERT INTO restored.sqlite_sequence VALUES (?, ?)").run(table, ids.given)
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
const carryRevisions = (file: Database, table: string, code: number): number => {
  file.exec(`
    CREATE TEMP TABLE raised AS
      SELECT restored.${table}.id AS id, max(had.revision) + 1 AS revision FROM restored.${table} JOIN (
        SELECT id, revision FROM main.${table}
        UNION ALL SELECT record_id, json_extract(before, ${REVISION.replaceAll("image", "before")}) FROM main.changes
          WHERE kind = ${code} AND after IS NULL AND json_valid(before)
      ) AS had USING (id)
      WHERE had.revision > restored.${table}.revision GROUP BY id;
    UPDATE restored.${table} SET revision = (SELECT revision FROM raised WHERE raised.id = ${table}.id)
      WHERE id IN (SELECT id FROM raised);
    UPDATE restored.changes SET after = json_set(after, ${REVISION.replaceAll("image", "after")},
        (SELECT revision FROM raised WHERE raised.id = record_id))
      WHERE id IN (SELECT max(id) FROM restored.changes WHERE kind = ${code} AND record_id IN (SELECT id FROM raised)
        GROUP BY record_id) AND json_valid(after);`)
  const raised = file.prepare<[], number>("SELECT count(*) FROM raised").pluck().get() ?? 0
  file.exec("DROP TABLE temp.raised")
  return raised
}

const carryKeys = (file: Database): number =>
  file
    .prepare(
      `UPDATE restored.keys SET (revision, expires_ms, revoked_ms, disabled) =
        (SELECT max(was.revision, keys.revision) + 1, was.expires_ms, was.revoked_ms, was.disabled
          FROM main.keys AS was WHERE was.id = keys.id)
      WHERE EXISTS (SELECT 1 FROM main.keys AS was WHERE was.id = keys.id AND was.digest = keys.digest
        AND (was.expires_ms IS NOT keys.expires_ms OR was.revoked_ms IS NOT keys.revoked_ms OR was.disabled <> keys.disabled))`
    )
    .run().changes

/** The columns of a table that both files have: those of an earlier schema may be fewer. */
const columnsOf = (file: Database, table: string): string => {
  const inBoth = file.prepare<[string, string], string>(
    "SELECT name FROM pragma_table_info(?, 'restored') WHERE name IN (SELECT name FROM pragma_table_info(?, 'main'))"
  )
  return inBoth.pluck().all(table, table).join(", ")
}

const carryUsage = (file: Database): number => {
  const columns = columnsOf(file, "usage")
  file.exec("DELETE FROM restored.usage")
  return file
    .prepare(
      `INSERT INTO restored.usage (${columns}) SELECT ${columns} FROM main.usage
        WHERE caller NOT LIKE 'account:%'
          OR CAST(substr(caller, 9) AS INTEGER) IN (SELECT id FROM restored.accounts)`
    )
    .run().changes
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const listed = (ids: ReadonlyArray<number>): string =>
  ids.length <= 10 ? ids.join(", ") : `${ids.slice(0, 10).join(", ")} and ${ids.length - 10} more`

/** Rows of a table that the replaced store has and the restored one has not. */
const missing = (file: Database, table: string): ReadonlyArray<number> =>
  file
    .prepare<[], number>(
      `SELECT id FROM main.${table} WHERE id NOT IN (SELECT id FROM restored.${table}) ORDER BY id`
    )
    .pluck()
    .all()

/** What was made since the backup and is not there any more. */
const lost = (file: Database): NotCarriedOver => {
  const changes =
    file
      .prepare<[], number>(
        "SELECT count(*) FROM main.changes WHERE id > coalesce((SELECT max(id) FROM restored.changes), 0)"
      )
      .pluck()
      .get() ?? 0
  const [keys, accounts, webhooks] = ["keys", "accounts", "webhooks"].map((table) => missing(file, table))
  const parts: Array<string> = []
  if (changes > 0)
    parts.push(`${plural(changes, "change")} of pets, categories, orders and stock since the backup`)
  if (accounts?.length) parts.push(`${plural(accounts.length, "account")} made since: ${listed(accounts)}`)
  if (keys?.length)
    parts.push(`${plural(keys.length, "key")} made since, which no longer work: ${listed(keys)}`)
  if (webhooks?.length) parts.push(`${plural(webhooks.length, "webhook")} made since: ${listed(webhooks)}`)
  const answers = missing(file, "idempotency").length
  if (answers > 0) {
    parts.push(
      `${plural(answers, "stored answer")} of requests with an Idempotency-Key: repeated, they are carried out again`
    )
  }
  return parts
}

const sumOf = <A>(all: ReadonlyArray<A>, count: (each: A) => number): number =>
  all.reduce((sum, each) => sum + count(each), 0)

/** Takes over what can be, each part by itself, since the replaced file may be damaged in parts. */
export const carryOver = (
  file: Database,
  schemas: Schemas
): { readonly carried: CarriedOver; readonly notCarried: NotCarriedOver } => {
  const notCarried: Array<string> = []
  const attempt = (what: string, work: () => number): number => {
    try {
      return file.transaction(work).immediate()
    } catch (thrown) {
      notCarried.push(`${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      return 0
    }
  }
  const carried = {
    ids: sumOf(NUMBERED, (table) =>
      attempt(`ids of ${table}, which may be given again`, () => carryId(file, table, schemas))
    ),
    revisions: sumOf([...RECORD_KINDS.entries()], ([code, kind]) => {
      const table = sqlName(RECORD_COLLECTIONS[kind].name)
      return attempt(`revisions of ${table}, so that an ETag may mean two states`, () =>
        carryRevisions(file, table, code)
      )
    }),
    keys: attempt("revocations of keys: look through petstore keys list", () => carryKeys(file)),
    callers: attempt("counts and bans of callers, which start anew", () => carryUsage(file))
  }
  attempt("what else is lost", () => {
    notCarried.push(...lost(file))
    return 0
  })
  return { carried, notCarried }
}
