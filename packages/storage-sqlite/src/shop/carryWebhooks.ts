/**
 * What a restored store takes over of webhooks: none is sent to that was not sent to any more, and
 * no secret signs again that was replaced.
 *
 * All of it is SQL on a connection that has the replaced file as `main` and the copy as `restored`.
 */
import { WEBHOOK_STATES } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import { wallClockMs } from "../base/timers.js"
import { greatestId, type Schemas } from "./greatestId.js"

export const ENABLED = WEBHOOK_STATES.indexOf("enabled")
const DISABLED = WEBHOOK_STATES.indexOf("disabled")

/** From this schema on a file has the table `about`. */
const FIRST_WITH_ABOUT = 5

/**
 * In `about`, the ranges of ids that a store never gave itself: the stores that it has replaced
 * did. What it does not have of them was not removed from it. JSON, an array of pairs.
 */
const SKIPPED = "skipped_webhook_ids"

/** To be called before the last ids are taken over. */
export const noteSkippedIds = (file: Connection, { replaced, restored }: Schemas): void => {
  if (restored < FIRST_WITH_ABOUT) return
  file
    .command(
      `INSERT OR REPLACE INTO restored.about
        SELECT '${SKIPPED}', json_insert(
            coalesce((SELECT value FROM restored.about WHERE name = '${SKIPPED}'), '[]'),
            '$[#]', json_array(known + 1, given))
          FROM (SELECT ${greatestId("main", "webhooks", replaced)} AS given,
            ${greatestId("restored", "webhooks", restored)} AS known)
          WHERE given > known`
    )
    .run()
}

/** A condition on `restored.webhooks`: the replaced store had it, and has it no more. */
export const wasRemoved = (replaced: number): string => {
  const skipped =
    replaced < FIRST_WITH_ABOUT
      ? ""
      : `AND NOT EXISTS (
          SELECT 1 FROM json_each((SELECT value FROM main.about WHERE name = '${SKIPPED}')) AS range
            WHERE webhooks.id BETWEEN range.value ->> 0 AND range.value ->> 1)`
  return `(NOT EXISTS (SELECT 1 FROM main.webhooks AS was WHERE was.id = webhooks.id)
    AND webhooks.id <= ${greatestId("main", "webhooks", replaced)} ${skipped})`
}

/** They stay in the copy, since nobody else could make their secrets again. */
const switchOffRemoved = (file: Connection, replaced: number): number =>
  file
    .command(
      `UPDATE restored.webhooks SET revision = revision + 1, state = ${DISABLED}, state_ms = ?
        WHERE state = ${ENABLED} AND ${wasRemoved(replaced)}`
    )
    .run(wallClockMs()).changes

const IS_OFF = `(was.state <> ${ENABLED} AND was.state <> webhooks.state)`
const IS_ROTATED = "was.generation > webhooks.generation"

/** A salt is made once for each webhook, so that by it the two rows are known to be of one. */
const takeOver = (file: Connection): number =>
  file
    .command(
      `UPDATE restored.webhooks
        SET (revision, state, state_ms, generation, mark, previous_until_ms) = (
          SELECT max(was.revision, webhooks.revision) + 1,
              iif(${IS_OFF}, was.state, webhooks.state),
              iif(${IS_OFF}, was.state_ms, webhooks.state_ms),
              iif(${IS_ROTATED}, was.generation, webhooks.generation),
              iif(${IS_ROTATED}, was.mark, webhooks.mark),
              iif(${IS_ROTATED}, was.previous_until_ms, webhooks.previous_until_ms)
            FROM main.webhooks AS was WHERE was.id = webhooks.id)
        WHERE EXISTS (SELECT 1 FROM main.webhooks AS was
          WHERE was.id = webhooks.id AND was.salt = webhooks.salt AND (${IS_OFF} OR ${IS_ROTATED}))`
    )
    .run().changes

/** Answers how many were changed. */
export const carryWebhooks = (file: Connection, { replaced }: Schemas): number =>
  switchOffRemoved(file, replaced) + takeOver(file)
