/**
 * Webhooks as hosts see them: endpoints that are told of changes of the shop. Not part of the
 * public interface.
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

/** What is right in a URL depends on the host: that is for `urlProblem` to say. */
const Url = text({
  expected: "a URL such as https://shop.example/hooks",
  is: () => true,
  maxLength: MAX_URL_LENGTH
})

export const NewWebhook = struct("NewWebhook", {
  url: Url,
  types: optional(Types)
})

/** An endpoint to be made. */
export type NewWebhook = {
  /** Where messages are sent by POST. */
  readonly url: string
  /** Which changes are sent; all unless given. */
  readonly types?: ReadonlyArray<ChangeType>
}

export const WebhookPatch = struct("WebhookPatch", {
  url: optional(Url),
  types: optional(nullable(Types, `null, or ${LISTED}`))
})

/** What is changed of an endpoint; `types: null` is all types. */
export type WebhookPatch = {
  readonly url?: string
  readonly types?: ReadonlyArray<ChangeType> | null
}

/** How the secret of an endpoint is made anew. */
export const SecretRotation = struct("SecretRotation", { overlapMs: optional(OverlapMs) })

export type SecretRotation = {
  /** For so long messages are signed with the old secret too; a day unless given. */
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

/** What is sent again: every message from a sequence on, in order, or a single one, out of turn. */
export type WebhookReplay = { readonly from: number } | { readonly only: number }

/** An endpoint as it is answered, without its secret. Instants are RFC 3339 texts in UTC. */
export type Webhook = {
  readonly id: number
  readonly url: string
  /** Which changes are sent; absent for all. */
  readonly types?: ReadonlyArray<ChangeType>
  readonly state: WebhookState
  /** Since when it is in this state. */
  readonly stateSince: string
  readonly createdAt: string
  /** All changes up to this one are delivered or not asked for. */
  readonly deliveredTo: number
  /** Attempts of the message at hand that have failed. */
  readonly failures: number
  /** When it is tried again, where it has to wait. */
  readonly nextAttemptAt?: string
  /** How many single messages wait to be sent again. */
  readonly replaysWaiting: number
  /** Until when the secret before the present one signs too. */
  readonly previousSecretUntil?: string
}

/** An endpoint with its secret, which is shown this once and stored nowhere. */
export type IssuedWebhook = Webhook & { readonly secret: string }

/** One attempt to deliver a message. */
export type WebhookAttempt = {
  readonly id: number
  readonly webhookId: number
  /** The `webhook-id` of the message. */
  readonly messageId: string
  readonly type: ChangeType | "resync" | (string & {})
  readonly sequence: number
  /** From 1; 0 for a message that was sent once more by hand. */
  readonly attempt: number
  readonly at: string
  readonly durationMs: number
  readonly outcome: WebhookOutcome
  readonly status?: number
  /** What the receiver said, or what went wrong, in short. */
  readonly detail?: string
  /** When it is tried again. */
  readonly nextAttemptAt?: string
}
