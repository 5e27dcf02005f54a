/** The log of the latest attempts of each endpoint. Older ones are deleted. */
import type { Program } from "../engine/program/Program.js"
import { remove, scan } from "../engine/program/requests.js"
import { insertRow } from "../engine/program/rows.js"
import { ATTEMPT_INDEX, type WebhookAttemptRow, webhookAttempts, type WebhookRow } from "./rows.js"

/** The number of attempts that are stored for each endpoint. */
const ATTEMPTS_KEPT = 500

/** Returns the number of attempts that are stored afterwards. */
export function* logAttempt(
  { id, logged }: WebhookRow,
  attempt: Omit<WebhookAttemptRow, "id" | "revision" | "webhookId">
): Program<number> {
  yield* insertRow(webhookAttempts, { webhookId: id, ...attempt })
  if (logged < ATTEMPTS_KEPT) return logged + 1
  const range = { index: ATTEMPT_INDEX, prefix: [id], atLeast: null, below: null }
  const [oldest] = yield* scan(webhookAttempts, range, { limit: 1 })
  if (oldest !== undefined) yield* remove(webhookAttempts, oldest)
  return logged
}

/** Deletes every attempt of an endpoint. */
export function* forgetAttempts(webhookId: number): Program<void> {
  const range = { index: ATTEMPT_INDEX, prefix: [webhookId], atLeast: null, below: null }
  for (const row of yield* scan(webhookAttempts, range, { limit: ATTEMPTS_KEPT + 1 }))
    yield* remove(webhookAttempts, row)
}
