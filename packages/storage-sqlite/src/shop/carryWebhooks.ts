/**
 * Carries state of webhooks over into a restored store: disabled and removed webhooks get no
 * messages, and replaced secrets sign none.
 *
 * All of it is SQL on a connection that has the replaced file as `main` and the copy as `restored`.
 */
import { WEBHOOK_STATES } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import { wallClockMs } from "../base/timers.js"
import { lastIdSql, type Schemas } from "./lastId.js"

export const ENABLED = WEBHOOK_STATES.indexOf("enabled")
const DISABLED = WEBHOOK_STATES.indexOf("disabled")

/** The first schema with the table `about`. */
const FIRST_WITH_ABOUT = 5

/**
 * The name of a row of `about`: a JSON array of pairs. Each is a range of ids that the store has
 * skipped, because a store that it has replaced had assigned them. A missing webhook in such a
 * range was not removed from this store.
 */
const SKIPPED_IDS = "skipped_webhook_ids"

/** To be called before the last ids are carried over. */
export const storeSkippedIds = (file: Connection, { replaced, restored }: Schemas): void => {
  if (restored < FIRST_WITH_ABOUT) return
  file
    .command(
      `INSERT OR REPLACE INTO restored.about
        SELECT '${SKIPPED_IDS}', json_insert(
            coalesce((SELECT value FROM restored.about WHERE name = '${SKIPPED_IDS}'), '[]'),
            '$[#]', json_array(known + 1, given))
          FROM (SELECT ${lastIdSql("main", "webhooks", replaced)} AS given,
            ${lastIdSql("restored", "webhooks", restored)} AS known)
          WHERE given > known`
    )
    .run()
}

/** A condition on `restored.webhooks`: the webhook was removed from the replaced store. */
export const wasRemovedSql = (replaced: number): string => {
  const skipped =
    replaced < FIRST_WITH_ABOUT
      ? ""
      : `AND NOT EXISTS (
          SELECT 1
            FROM json_each((SELECT value FROM main.about WHERE name = '${SKIPPED_IDS}')) AS range
            WHERE webhooks.id BETWEEN range.value ->> 0 AND range.value ->> 1)`
  return `(NOT EXISTS (SELECT 1 FROM main.webhooks AS old WHERE old.id = webhooks.id)
    AND webhooks.id <= ${lastIdSql("main", "webhooks", replaced)} ${skipped})`
}

/** Disables removed webhooks. Their rows stay, since their secrets could not be made again. */
const disableRemoved = (file: Connection, replaced: number): number =>
  file
    .command(
      `UPDATE restored.webhooks SET revision = revision + 1, state = ${DISABLED}, state_ms = ?
        WHERE state = ${ENABLED} AND ${wasRemovedSql(replaced)}`
    )
    .run(wallClockMs()).changes

const IS_OFF = `(old.state <> ${ENABLED} AND old.state <> webhooks.state)`
const IS_ROTATED = "old.generation > webhooks.generation"

/** Each webhook has a unique salt, so rows with the same salt are of the same webhook. */
const carryChanges = (file: Connection): number =>
  file
    .command(
      `UPDATE restored.webhooks
        SET (revision, state, state_ms, generation, mark, previous_until_ms) = (
          SELECT max(old.revision, webhooks.revision) + 1,
              iif(${IS_OFF}, old.state, webhooks.state),
              iif(${IS_OFF}, old.state_ms, webhooks.state_ms),
              iif(${IS_ROTATED}, old.generation, webhooks.generation),
              iif(${IS_ROTATED}, old.mark, webhooks.mark),
              iif(${IS_ROTATED}, old.previous_until_ms, webhooks.previous_until_ms)
            FROM main.webhooks AS old WHERE old.id = webhooks.id)
        WHERE EXISTS (SELECT 1 FROM main.webhooks AS old
          WHERE old.id = webhooks.id AND old.salt = webhooks.salt AND (${IS_OFF} OR ${IS_ROTATED}))`
    )
    .run().changes

/** Returns how many webhooks were changed. */
export const carryWebhooks = (file: Connection, { replaced }: Schemas): number =>
  disableRemoved(file, replaced) + carryChanges(file)
