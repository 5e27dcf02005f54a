/** Presents endpoints and attempts to hosts. A secret is shown only when it is made. */
import { formatInstant } from "../value/Instant.js"
import { replaysOf } from "./delivering.js"
import type { WebhookAttemptRow, WebhookRow } from "./rows.js"
import { isChangeType, type IssuedWebhook, type Webhook, type WebhookAttempt } from "./Webhook.js"

export const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  ...(row.types === "" ? {} : { types: row.types.split(" ").filter(isChangeType) }),
  state: row.state,
  stateSince: formatInstant(row.stateMs),
  createdAt: formatInstant(row.createdMs),
  deliveredTo: row.cursor,
  failures: row.failures,
  ...(row.nextMs === null ? {} : { nextAttemptAt: formatInstant(row.nextMs) }),
  replaysWaiting: replaysOf(row).length,
  ...(row.previousUntilMs === null
    ? {}
    : { previousSecretUntil: formatInstant(row.previousUntilMs) })
})

export const presentAttempt = (row: WebhookAttemptRow): WebhookAttempt => ({
  id: row.id,
  webhookId: row.webhookId,
  messageId: row.messageId,
  type: row.type,
  sequence: row.sequence,
  attempt: row.attempt,
  at: formatInstant(row.atMs),
  durationMs: row.tookMillis,
  outcome: row.outcome,
  ...(row.status === null ? {} : { status: row.status }),
  ...(row.detail === "" ? {} : { detail: row.detail }),
  ...(row.nextMs === null ? {} : { nextAttemptAt: formatInstant(row.nextMs) })
})

type WebhookWithSecret = { readonly row: WebhookRow; readonly secret: string }

export const presentWithSecret = ({ row, secret }: WebhookWithSecret): IssuedWebhook => ({
  ...presentWebhook(row),
  secret
})
