/**
 * What of a replaced store is not in the restored one, in words.
 *
 * All of it is SQL on a connection that has the replaced file as `main` and the copy as `restored`.
 */
import type { Connection } from "../driver/Driver.js"
import { ENABLED, wasRemoved } from "./carryWebhooks.js"
import type { Schemas } from "./greatestId.js"

/** One thing that may be lost: how it is called where it can't be read, and how it is told. */
export type Loss = {
  readonly what: string
  /** Undefined where nothing of it is lost. */
  readonly tell: (file: Connection, schemas: Schemas) => string | undefined
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const listed = (each: ReadonlyArray<string | number>): string =>
  each.length <= 10
    ? each.join(", ")
    : `${each.slice(0, 10).join(", ")} and ${each.length - 10} more`

/**
 * Rows that the replaced store has and the restored one has not, by their id and what is theirs.
 */
const missing = (file: Connection, table: string, identity: string): ReadonlyArray<number> =>
  file
    .values<number>(
      `SELECT id FROM main.${table} AS was WHERE NOT EXISTS (
        SELECT 1 FROM restored.${table} AS now
          WHERE now.id = was.id AND now.${identity} = was.${identity}
      ) ORDER BY id`
    )
    .all()

/**
 * Changes that the restored store no longer keeps, since they are too old, are none that it lost.
 */
const changes = (file: Connection): string | undefined => {
  const count =
    file
      .values<number>(
        `SELECT count(*) FROM main.changes AS was
          WHERE id >= coalesce((SELECT min(id) FROM restored.changes), 0) AND NOT EXISTS (
            SELECT 1 FROM restored.changes AS now
              WHERE now.id = was.id
                AND (now.at_ms, now.type, now.kind, now.record_id, now.request_id)
                IS (was.at_ms, was.type, was.kind, was.record_id, was.request_id))`
      )
      .get() ?? 0
  if (count === 0) return undefined
  return `${plural(count, "change")} of records since the backup`
}

const made =
  (table: string, one: string, identity: string, outcome = "") =>
  (file: Connection): string | undefined => {
    const ids = missing(file, table, identity)
    if (ids.length === 0) return undefined
    return `${plural(ids.length, one)} that the backup does not have${outcome}: ${listed(ids)}`
  }

const plans = (file: Connection): string | undefined => {
  const planOf = (row: string): string =>
    `${row}.plan
        || coalesce(' (' || ${row}.per_minute || ' a minute, ' || ${row}.per_day || ' a day)', '')`
  const accounts = file
    .values<string>(
      `SELECT id || ' is ' || ${planOf("now")} || ' and was ' || ${planOf("was")}
        FROM main.accounts AS was JOIN restored.accounts AS now USING (id)
        WHERE now.created_ms = was.created_ms
          AND (was.plan, was.per_minute, was.per_day) IS NOT (now.plan, now.per_minute, now.per_day)
        ORDER BY id`
    )
    .all()
  if (accounts.length === 0) return undefined
  return (
    `${plural(accounts.length, "account")} changed since, and now on the plan of the backup: ` +
    listed(accounts)
  )
}

const removed = (file: Connection, { replaced }: Schemas): string | undefined => {
  const ids = file
    .values<number>(`SELECT id FROM restored.webhooks WHERE ${wasRemoved(replaced)} ORDER BY id`)
    .all()
  if (ids.length === 0) return undefined
  return (
    `${plural(ids.length, "webhook")} removed since, which the backup has: nothing is sent to ` +
    listed(ids)
  )
}

const IS_OFF_AGAIN = `(was.state = ${ENABLED} AND now.state <> ${ENABLED})`

/** Without their URLs, whose paths may be secrets. */
const changedWebhooks = (file: Connection): string | undefined => {
  const webhooks = file
    .values<string>(
      `SELECT id || ' (' || concat_ws(', ', iif(was.url <> now.url, 'URL', NULL),
          iif(was.types <> now.types, 'types', NULL),
          iif(${IS_OFF_AGAIN}, 'not enabled', NULL)) || ')'
        FROM main.webhooks AS was JOIN restored.webhooks AS now USING (id)
        WHERE now.salt = was.salt
          AND (was.url <> now.url OR was.types <> now.types OR ${IS_OFF_AGAIN})
        ORDER BY id`
    )
    .all()
  if (webhooks.length === 0) return undefined
  return (
    `${plural(webhooks.length, "webhook")} changed since, and now as in the backup: ` +
    listed(webhooks)
  )
}

const answers = (file: Connection): string | undefined => {
  const count = missing(file, "idempotency", "fingerprint").length
  if (count === 0) return undefined
  return (
    `${plural(count, "stored answer")} of requests with an Idempotency-Key: repeated, they are ` +
    "carried out again"
  )
}

/** In the order in which they are told. */
export const LOSSES: ReadonlyArray<Loss> = [
  { what: "changes since the backup", tell: changes },
  { what: "accounts made since", tell: made("accounts", "account", "created_ms") },
  { what: "plans of accounts changed since", tell: plans },
  { what: "keys made since", tell: made("keys", "key", "digest", ", refused from now on") },
  { what: "webhooks made since", tell: made("webhooks", "webhook", "salt") },
  { what: "webhooks removed since", tell: removed },
  { what: "webhooks changed since", tell: changedWebhooks },
  { what: "stored answers", tell: answers }
]
