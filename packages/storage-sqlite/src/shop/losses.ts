/**
 * Describes in words what a restored store lacks of the replaced one.
 *
 * All of it is SQL on a connection that has the replaced file as `main` and the copy as `restored`.
 */
import type { Connection } from "../driver/Driver.js"
import { ENABLED, wasRemovedSql } from "./carryWebhooks.js"
import type { Schemas } from "./lastId.js"

/** A kind of data that may be lost. `name` is used in the message if it can't be read. */
export type Loss = {
  readonly name: string
  /** Undefined if nothing of it is lost. */
  readonly describe: (file: Connection, schemas: Schemas) => string | undefined
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const formatList = (items: ReadonlyArray<string | number>): string =>
  items.length <= 10
    ? items.join(", ")
    : `${items.slice(0, 10).join(", ")} and ${items.length - 10} more`

/** Ids of rows that the restored store lacks: no row has the same id and the same `identity`. */
const missingIds = (file: Connection, table: string, identity: string): ReadonlyArray<number> =>
  file
    .values<number>(
      `SELECT id FROM main.${table} AS old WHERE NOT EXISTS (
        SELECT 1 FROM restored.${table} AS copy
          WHERE copy.id = old.id AND copy.${identity} = old.${identity}
      ) ORDER BY id`
    )
    .all()

/** Changes below the first one of the restored feed are not lost: their retention is over. */
const describeChanges = (file: Connection): string | undefined => {
  const count =
    file
      .values<number>(
        `SELECT count(*) FROM main.changes AS old
          WHERE id >= coalesce((SELECT min(id) FROM restored.changes), 0) AND NOT EXISTS (
            SELECT 1 FROM restored.changes AS copy
              WHERE copy.id = old.id
                AND (copy.at_ms, copy.type, copy.kind, copy.record_id, copy.request_id)
                IS (old.at_ms, old.type, old.kind, old.record_id, old.request_id))`
      )
      .get() ?? 0
  if (count === 0) return undefined
  return `${plural(count, "change")} of records since the backup`
}

const describeMissing =
  (table: string, noun: string, identity: string, outcome = "") =>
  (file: Connection): string | undefined => {
    const ids = missingIds(file, table, identity)
    if (ids.length === 0) return undefined
    return `${plural(ids.length, noun)} that the backup does not have${outcome}: ${formatList(ids)}`
  }

const describePlans = (file: Connection): string | undefined => {
  const planOf = (row: string): string =>
    `${row}.plan
        || coalesce(' (' || ${row}.per_minute || ' a minute, ' || ${row}.per_day || ' a day)', '')`
  const accounts = file
    .values<string>(
      `SELECT id || ' is ' || ${planOf("copy")} || ' and was ' || ${planOf("old")}
        FROM main.accounts AS old JOIN restored.accounts AS copy USING (id)
        WHERE copy.created_ms = old.created_ms
          AND (old.plan, old.per_minute, old.per_day)
            IS NOT (copy.plan, copy.per_minute, copy.per_day)
        ORDER BY id`
    )
    .all()
  if (accounts.length === 0) return undefined
  return (
    `${plural(accounts.length, "account")} changed since the backup, restored with the old plan: ` +
    formatList(accounts)
  )
}

const describeRemovedWebhooks = (file: Connection, { replaced }: Schemas): string | undefined => {
  const ids = file
    .values<number>(`SELECT id FROM restored.webhooks WHERE ${wasRemovedSql(replaced)} ORDER BY id`)
    .all()
  if (ids.length === 0) return undefined
  return (
    `${plural(ids.length, "webhook")} removed since the backup, restored as disabled: ` +
    formatList(ids)
  )
}

const IS_OFF_AGAIN = `(old.state = ${ENABLED} AND copy.state <> ${ENABLED})`

/** Without their URLs, whose paths may be secrets. */
const describeChangedWebhooks = (file: Connection): string | undefined => {
  const webhooks = file
    .values<string>(
      `SELECT id || ' (' || concat_ws(', ', iif(old.url <> copy.url, 'URL', NULL),
          iif(old.types <> copy.types, 'types', NULL),
          iif(${IS_OFF_AGAIN}, 'not enabled', NULL)) || ')'
        FROM main.webhooks AS old JOIN restored.webhooks AS copy USING (id)
        WHERE copy.salt = old.salt
          AND (old.url <> copy.url OR old.types <> copy.types OR ${IS_OFF_AGAIN})
        ORDER BY id`
    )
    .all()
  if (webhooks.length === 0) return undefined
  return (
    `${plural(webhooks.length, "webhook")} changed since the backup, ` +
    "restored without the changes: " +
    formatList(webhooks)
  )
}

const describeResponses = (file: Connection): string | undefined => {
  const count = missingIds(file, "idempotency", "fingerprint").length
  if (count === 0) return undefined
  return (
    `${plural(count, "stored answer")} of requests with an Idempotency-Key: ` +
    "repeated requests are carried out again"
  )
}

/** In the order of the messages. */
export const LOSSES: ReadonlyArray<Loss> = [
  { name: "changes since the backup", describe: describeChanges },
  {
    name: "accounts created since the backup",
    describe: describeMissing("accounts", "account", "created_ms")
  },
  { name: "plans of accounts changed since the backup", describe: describePlans },
  {
    name: "keys created since the backup",
    describe: describeMissing("keys", "key", "digest", ", which are refused")
  },
  {
    name: "webhooks created since the backup",
    describe: describeMissing("webhooks", "webhook", "salt")
  },
  { name: "webhooks removed since the backup", describe: describeRemovedWebhooks },
  { name: "webhooks changed since the backup", describe: describeChangedWebhooks },
  { name: "stored answers", describe: describeResponses }
]
