/** The stored responses to requests with an idempotency key. */
import type { Collection, Index } from "../program/Collection.js"
import { instant, text } from "../program/columns.js"

/** Answers to requests that carried an idempotency key. */
export type IdempotencyRow = {
  readonly id: number
  readonly revision: number
  /** A digest of the account, the operation and the key. */
  readonly scope: string
  /** A digest of the request. Another digest under the same key means another request. */
  readonly fingerprint: string
  /** The answer, as the adapter that gave it writes it down. */
  readonly answer: string
  /** From when on it is forgotten. */
  readonly expiresMs: number
}

export const SCOPE_INDEX: Index = { name: "scope", on: ["scope"], sort: "id" }
export const EXPIRY_INDEX: Index = { name: "expiry", on: [], sort: "expiresMs" }

/** Answers that are given again to whoever repeats a request. */
export const idempotency: Collection<IdempotencyRow> = {
  name: "idempotency",
  key: "assigned",
  columns: { scope: text, fingerprint: text, answer: text, expiresMs: instant },
  indexes: [SCOPE_INDEX, EXPIRY_INDEX]
}
