/** Issues the secrets of webhooks: for a new endpoint, and in place of another secret. */
import { refuse } from "../engine/program/requests.js"
import { insertRow, replaceRow } from "../engine/program/rows.js"
import { lastSequence } from "../shop/change/reading.js"
import { NoWebhookSecret } from "./errors.js"
import { webhooks } from "./rows.js"
import { findWebhook, joinTypes, NO_FAILURES } from "./storedWebhooks.js"
import type { NewWebhook } from "./Webhook.js"
import { secretMark, webhookSecret } from "./WebhookSecret.js"

/** Stores a new endpoint. It gets changes from now on. */
export function* issueWebhook(
  { url, types }: NewWebhook,
  salt: string,
  hostSecret: string | undefined,
  nowMs: number
) {
  if (hostSecret === undefined) return yield* refuse(new NoWebhookSecret())
  const secret = webhookSecret(hostSecret, salt, 1)
  const row = yield* insertRow(webhooks, {
    url,
    types: joinTypes(types),
    salt,
    generation: 1,
    mark: secretMark(secret),
    previousUntilMs: null,
    state: "enabled",
    createdMs: nowMs,
    stateMs: nowMs,
    epoch: "",
    cursor: yield* lastSequence(),
    resyncTo: null,
    resyncMs: null,
    replays: "",
    ...NO_FAILURES,
    leaseHolder: null,
    leaseUntilMs: null,
    logged: 0
  })
  return { row, secret }
}

/** Replaces the secret of an endpoint. The old one stays valid for `overlapMs`. */
export function* rotateSecret(
  id: number,
  overlapMs: number,
  hostSecret: string | undefined,
  nowMs: number
) {
  const old = yield* findWebhook(id)
  if (hostSecret === undefined) return yield* refuse(new NoWebhookSecret())
  const generation = old.generation + 1
  const secret = webhookSecret(hostSecret, old.salt, generation)
  // With another secret of the host, the old one can't be derived any more.
  const isSameHost = secretMark(webhookSecret(hostSecret, old.salt, old.generation)) === old.mark
  const row = yield* replaceRow(webhooks, old, {
    generation,
    mark: secretMark(secret),
    previousUntilMs: isSameHost && overlapMs > 0 ? nowMs + overlapMs : null
  })
  return { row, secret }
}
