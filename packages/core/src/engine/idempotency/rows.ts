/** Answers that are kept to be given again. */
import type { Collection, Index } from "../program/Collection.js"
import { text, integer } from "../program/columns.js"

/** Answers to requests that carried an idempotency key. */
export type IdempotencyRow = {
  readonly id: number
  readonly revision: number
  /** Digest of who asked for what, and of the key. */
  readonly scope: string
  /** Digest of what was asked; another one under the same key is another request. */
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
  columns: { scope: text, fingerprint: text, answer: text, expiresMs: integer },
  indexes: [SCOPE_INDEX, EXPIRY_INDEX]
}
