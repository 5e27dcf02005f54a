/**
 * What is kept of webhooks: each endpoint with its place in the feed, and what became of the latest
 * attempts.
 */
import type { Collection, Index } from "../engine/program/Collection.js"
import {
  integer,
  optionalInteger,
  optionalText,
  reference,
  text
} from "../engine/program/columns.js"

/**
 * What is done for an endpoint, in the order of the codes that it is stored with.
 *
 * - `enabled`: messages are sent.
 * - `disabled`: an operator has switched it off.
 * - `failing`: a message was refused until its attempts were used up.
 * - `gone`: the receiver has answered 410.
 */
export const WEBHOOK_STATES = ["enabled", "disabled", "failing", "gone"] as const

/** What is done for an endpoint. */
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** An endpoint as it is stored. */
export type WebhookRow = {
  readonly id: number
  readonly revision: number
  readonly url: string
  /** The types of changes that are sent, with a space between each two; empty for all. */
  readonly types: string
  /** What secrets are made from, beside the host's own, which is stored nowhere. */
  readonly salt: string
  /** Counts the secrets; each rotation makes the next. */
  readonly generation: number
  /**
   * By which the secret is known to be made from the same secret of the host as the one that was
   * shown.
   */
  readonly mark: string
  /** Until when the secret before this one signs too. */
  readonly previousUntilMs: number | null
  readonly state: WebhookState
  readonly createdMs: number
  /** Since when it is in this state. */
  readonly stateMs: number
  /** The feed that `cursor` is a place in; empty until it is first looked at. */
  readonly epoch: string
  /** All changes up to this one are delivered, or not asked for. */
  readonly cursor: number
  /** Where to go on after a `resync` message that is still to be delivered. */
  readonly resyncTo: number | null
  readonly resyncMs: number | null
  /** Sequences to be sent once more, out of turn, with a space between each two. */
  readonly replays: string
  /** Attempts of the message at hand that have failed. */
  readonly failures: number
  /** When it is tried again; null for at once. */
  readonly nextMs: number | null
  /** Which worker sends, and until when others leave it alone. */
  readonly leaseHolder: string | null
  readonly leaseUntilMs: number | null
  /** How many attempts are kept. */
  readonly logged: number
}

export const STATE_INDEX: Index = { name: "state", on: ["state"], sort: "id" }

/** Endpoints of webhooks. */
export const webhooks: Collection<WebhookRow> = {
  name: "webhooks",
  key: "assigned",
  columns: {
    url: text,
    types: text,
    salt: text,
    generation: integer,
    mark: text,
    previousUntilMs: optionalInteger,
    state: { type: "text", values: WEBHOOK_STATES },
    createdMs: integer,
    stateMs: integer,
    epoch: text,
    cursor: integer,
    resyncTo: optionalInteger,
    resyncMs: optionalInteger,
    replays: text,
    failures: integer,
    nextMs: optionalInteger,
    leaseHolder: optionalText,
    leaseUntilMs: optionalInteger,
    logged: integer
  },
  indexes: [STATE_INDEX]
}

/**
 * - `delivered`: answered with a 2xx.
 * - `refused`: answered with anything else, a redirect included, which is not followed.
 * - `gone`: answered 410.
 * - `timeout`: not answered in time.
 * - `unreachable`: no connection, or one that broke.
 * - `forbidden`: the address may not be sent to.
 * - `lost`: what was to be sent once more is no longer kept.
 */
const WEBHOOK_OUTCOMES = [
  "delivered",
  "refused",
  "gone",
  "timeout",
  "unreachable",
  "forbidden",
  "lost"
] as const

/** What came of an attempt. */
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number]

/** An attempt as it is stored. */
export type WebhookAttemptRow = {
  readonly id: number
  readonly revision: number
  readonly webhookId: number
  readonly messageId: string
  readonly type: string
  /** Of the change that was sent; of a resync, where to go on after. */
  readonly sequence: number
  /** The number of the attempt, from 1; 0 for a message that was sent once more by hand. */
  readonly attempt: number
  readonly atMs: number
  readonly tookMillis: number
  readonly outcome: WebhookOutcome
  /** Of the answer; null where there was none. */
  readonly status: number | null
  /** What the receiver said, or what went wrong, in short. */
  readonly detail: string
  readonly nextMs: number | null
}

export const ATTEMPT_INDEX: Index = { name: "webhook", on: ["webhookId"], sort: "id" }

/** The latest attempts of each endpoint. */
export const webhookAttempts: Collection<WebhookAttemptRow> = {
  name: "webhookAttempts",
  key: "assigned",
  columns: {
    webhookId: reference("webhooks"),
    messageId: text,
    type: text,
    sequence: integer,
    attempt: integer,
    atMs: integer,
    tookMillis: integer,
    outcome: { type: "text", values: WEBHOOK_OUTCOMES },
    status: optionalInteger,
    detail: text,
    nextMs: optionalInteger
  },
  indexes: [ATTEMPT_INDEX]
}
