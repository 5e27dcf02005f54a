/** Webhooks as hosts see them: endpoints that are told of changes of the shop. Not part of the public interface. */
import * as Schema from "effect/Schema"
import { CHANGE_TYPES, type ChangeType } from "../change/Change.js"
import { expected } from "../record/Expected.js"
import type { WebhookOutcome, WebhookState } from "./rows.js"

export const isChangeType = (type: string): type is ChangeType => CHANGE_TYPES.some((each) => each === type)

/** Without a type twice, and at least one. */
const Types = Schema.Array(Schema.String).pipe(
  Schema.filter(
    (types) => types.length > 0 && types.every(isChangeType) && new Set(types).size === types.length
  ),
  expected(`a list of types, each once: ${CHANGE_TYPES.join(", ")}`, { type: "string" })
)

/** What is right in a URL depends on the host: that is for `urlProblem` to say. */
const Url = Schema.String.pipe(expected("a URL such as https://shop.example/hooks", { type: "string" }))

export const NewWebhook = Schema.Struct({
  url: Url,
  types: Schema.optionalWith(Types, { exact: true })
})

/** An endpoint to be made. */
export type NewWebhook = {
  /** Where messages are sent by POST. */
  readonly url: string
  /** Which changes are sent; all unless given. */
  readonly types?: ReadonlyArray<ChangeType>
}

export const WebhookPatch = Schema.Struct({
  url: Schema.optionalWith(Url, { exact: true }),
  types: Schema.optionalWith(
    Schema.NullOr(Types).pipe(
      expected(`null, or a list of types, each once: ${CHANGE_TYPES.join(", ")}`, { type: "string" })
    ),
    { exact: true }
  )
})

/** What is changed of an endpoint; `types: null` is all types. */
export type WebhookPatch = { readonly url?: string; readonly types?: ReadonlyArray<ChangeType> | null }

const LONGEST_OVERLAP_MS = 366 * 86_400_000

export const SecretRotation = Schema.Struct({
  overlapMs: Schema.optionalWith(
    Schema.Number.pipe(
      Schema.filter((ms) => Number.isInteger(ms) && ms >= 0 && ms <= LONGEST_OVERLAP_MS),
      expected(`milliseconds from 0 to ${LONGEST_OVERLAP_MS}, which are 366 days`, { type: "integer" })
    ),
    { exact: true }
  )
})

export type SecretRotation = {
  /** For so long messages are signed with the old secret too; a day unless given. */
  readonly overlapMs?: number
}

const Sequence = Schema.Number.pipe(
  Schema.filter((sequence) => Number.isSafeInteger(sequence) && sequence >= 1),
  expected("a sequence: a whole number from 1", { type: "integer" })
)

export const Replay = Schema.Struct({
  from: Schema.optionalWith(Sequence, { exact: true }),
  only: Schema.optionalWith(Sequence, { exact: true })
})

/** What is sent again: every message from a sequence on, in order, or a single one, out of turn. */
export type WebhookReplay = { readonly from: number } | { readonly only: number }

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
