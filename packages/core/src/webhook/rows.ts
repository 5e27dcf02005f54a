/**
 * The stored form of webhooks: each endpoint with its position in the feed, and its latest
 * attempts.
 */
import type { Collection, Index } from "../engine/program/Collection.js"
import {
  instant,
  integer,
  optionalInstant,
  optionalInteger,
  optionalText,
  reference,
  text
} from "../engine/program/columns.js"

/**
 * The states of an endpoint, in the order of their stored codes.
 *
 * - `enabled`: messages are sent.
 * - `disabled`: an operator has disabled it.
 * - `failing`: a message failed until its attempts were used up.
 * - `gone`: the receiver answered 410.
 */
export const WEBHOOK_STATES = ["enabled", "disabled", "failing", "gone"] as const

/** The state of an endpoint. */
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** The stored form of an endpoint. */
export type WebhookRow = {
  readonly id: number
  readonly revision: number
  readonly url: string
  /** The types of changes that are sent, separated by spaces; empty for all. */
  readonly types: string
  /** The salt of its secrets, which also need the secret of the host. */
  readonly salt: string
  /** The generation of the secret. A rotation increments it. */
  readonly generation: number
  /** A fingerprint of the secret, to detect that the host now has another secret. */
  readonly mark: string
  /** Until when messages are signed with the previous secret too. */
  readonly previousUntilMs: number | null
  readonly state: WebhookState
  readonly createdMs: number
  /** When it got into this state. */
  readonly stateMs: number
  /** The epoch of the feed that `cursor` is a position in; empty before the first claim. */
  readonly epoch: string
  /**
   * All changes up to this sequence are delivered, or are of a type that the endpoint does not get.
   */
  readonly cursor: number
  /** The position to continue from after a `resync` message that is not delivered yet. */
  readonly resyncTo: number | null
  readonly resyncMs: number | null
  /** The sequences to be sent again out of order, separated by spaces. */
  readonly replays: string
  /** The number of failed attempts of the current message. */
  readonly failures: number
  /** The time of the next attempt; null for at once. */
  readonly nextMs: number | null
  /** The worker that has claimed it, and until when. */
  readonly leaseHolder: string | null
  readonly leaseUntilMs: number | null
  /** The number of stored attempts. */
  readonly logged: number
}

export const STATE_INDEX: Index = { name: "state", on: ["state"], sort: "id" }

/** The endpoints of webhooks. */
export const webhooks: Collection<WebhookRow> = {
  name: "webhooks",
  key: "assigned",
  columns: {
    url: text,
    types: text,
    salt: text,
    generation: integer,
    mark: text,
    previousUntilMs: optionalInstant,
    state: { type: "text", values: WEBHOOK_STATES },
    createdMs: instant,
    stateMs: instant,
    epoch: text,
    cursor: integer,
    resyncTo: optionalInteger,
    resyncMs: optionalInstant,
    replays: text,
    failures: integer,
    nextMs: optionalInstant,
    leaseHolder: optionalText,
    leaseUntilMs: optionalInstant,
    logged: integer
  },
  indexes: [STATE_INDEX]
}

/**
 * The outcomes of an attempt.
 *
 * - `delivered`: answered with a 2xx.
 * - `refused`: any other answer. Redirects are not followed.
 * - `gone`: answered 410.
 * - `timeout`: not answered in time.
 * - `unreachable`: no connection, or it broke.
 * - `forbidden`: the address is not allowed.
 * - `lost`: the message to be sent again is no longer stored.
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

/** The outcome of an attempt. */
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number]

/** The stored form of an attempt. */
export type WebhookAttemptRow = {
  readonly id: number
  readonly revision: number
  readonly webhookId: number
  readonly messageId: string
  readonly type: string
  /** The sequence of the change that was sent; for a resync, the position to continue from. */
  readonly sequence: number
  /** The number of the attempt, from 1; 0 for a message that was replayed alone. */
  readonly attempt: number
  readonly atMs: number
  readonly tookMillis: number
  readonly outcome: WebhookOutcome
  /** The status of the response; null if there was none. */
  readonly status: number | null
  /** A short excerpt of the response, or the error. */
  readonly detail: string
  readonly nextMs: number | null
}

export const ATTEMPT_INDEX: Index = { name: "webhook", on: ["webhookId"], sort: "id" }

/** The latest attempts of each endpoint. */
export const webhookAttempts: Collection<WebhookAttemptRow> = {
  name: "webhookAttempts",
  key: "assigned",
  columns: {
    webhookId: reference(webhooks),
    messageId: text,
    type: text,
    sequence: integer,
    attempt: integer,
    atMs: instant,
    tookMillis: integer,
    outcome: { type: "text", values: WEBHOOK_OUTCOMES },
    status: optionalInteger,
    detail: text,
    nextMs: optionalInstant
  },
  indexes: [ATTEMPT_INDEX]
}
