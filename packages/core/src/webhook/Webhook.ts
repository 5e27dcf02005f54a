/**
 * Webhooks as hosts see them: endpoints that get the changes of the shop. Callers of the HTTP
 * interface can't manage them.
 */
import { CHANGE_TYPES, type ChangeType } from "../shop/change/Change.js"
import { OverlapMs } from "../access/key/ApiKey.js"
import { MAX_ID } from "../value/Id.js"
import { nullable, subset, text, integer } from "../value/Field.js"
import { optional, struct } from "../value/Struct.js"
import type { WebhookOutcome, WebhookState } from "./rows.js"
import { MAX_URL_LENGTH } from "./webhookUrl.js"

export const isChangeType = (type: string): type is ChangeType =>
  CHANGE_TYPES.some((each) => each === type)

const LISTED = `a list of types, each once: ${CHANGE_TYPES.join(", ")}`

const Types = subset(CHANGE_TYPES, LISTED)

/** Which URLs are allowed depends on the host: see `urlProblem`. */
const Url = text({
  expected: "a URL such as https://shop.example/hooks",
  is: () => true,
  maxLength: MAX_URL_LENGTH
})

export const NewWebhook = struct("NewWebhook", {
  url: Url,
  types: optional(Types)
})

/** The input for a new endpoint. */
export type NewWebhook = {
  /** The URL that messages are posted to. */
  readonly url: string
  /** The types of changes that are sent. By default, all. */
  readonly types?: ReadonlyArray<ChangeType>
}

export const WebhookPatch = struct("WebhookPatch", {
  url: optional(Url),
  types: optional(nullable(Types, `null, or ${LISTED}`))
})

/** Changes of an endpoint. `types: null` means all types. */
export type WebhookPatch = {
  readonly url?: string
  readonly types?: ReadonlyArray<ChangeType> | null
}

/** How the secret of an endpoint is rotated. */
export const SecretRotation = struct("SecretRotation", { overlapMs: optional(OverlapMs) })

export type SecretRotation = {
  /** How long messages are signed with the old secret too. By default, a day. */
  readonly overlapMs?: number
}

const Sequence = integer({
  expected: "a sequence: a whole number from 1",
  from: 1,
  to: MAX_ID,
  format: "int64"
})

export const Replay = struct("Replay", {
  from: optional(Sequence),
  only: optional(Sequence)
})

/**
 * The messages to send again: every one from a sequence on, in order, or a single one, out of
 * order.
 */
export type WebhookReplay = { readonly from: number } | { readonly only: number }

/** An endpoint as hosts see it, without its secret. Instants are RFC 3339 texts in UTC. */
export type Webhook = {
  readonly id: number
  readonly url: string
  /** The types of changes that are sent; absent for all. */
  readonly types?: ReadonlyArray<ChangeType>
  readonly state: WebhookState
  /** When it got into this state. */
  readonly stateSince: string
  readonly createdAt: string
  /**
   * All changes up to this sequence are delivered, or are of a type that the endpoint does not get.
   */
  readonly deliveredTo: number
  /** The number of failed attempts of the current message. */
  readonly failures: number
  /** The time of the next attempt, if it has to wait. */
  readonly nextAttemptAt?: string
  /** The number of single messages that wait to be sent again. */
  readonly replaysWaiting: number
  /** Until when messages are signed with the previous secret too. */
  readonly previousSecretUntil?: string
}

/** An endpoint with its secret, which is shown only this once and stored nowhere. */
export type IssuedWebhook = Webhook & { readonly secret: string }

/** One attempt to deliver a message. */
export type WebhookAttempt = {
  readonly id: number
  readonly webhookId: number
  /** The `webhook-id` of the message. */
  readonly messageId: string
  readonly type: ChangeType | "resync" | (string & {})
  readonly sequence: number
  /** From 1; 0 for a message that was replayed alone. */
  readonly attempt: number
  readonly at: string
  readonly durationMs: number
  readonly outcome: WebhookOutcome
  readonly status?: number
  /** A short excerpt of the response, or the error. */
  readonly detail?: string
  /** The time of the next attempt. */
  readonly nextAttemptAt?: string
}
