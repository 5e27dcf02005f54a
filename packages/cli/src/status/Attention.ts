/** Something that the operator of a store should do. */

/** Explained in docs/status.md. A file that can't be read has the code of that failure instead. */
export const ATTENTION_CODES = [
  "damaged",
  "older_version",
  "disk_nearly_full",
  "log_large",
  "backup_old",
  "webhook_failing",
  "webhook_gone",
  "webhook_disabled",
  "webhook_behind",
  "caller_banned",
  "caller_near_limit",
  "key_expiring"
] as const

export type AttentionCode = (typeof ATTENTION_CODES)[number]

export type Attention<Code extends string = AttentionCode> = {
  /** For programs. */
  readonly code: Code
  /** The problem and what to do: a sentence that ends with `command` if there is one. */
  readonly what: string
  readonly command?: string
  /** The id of the record, where there may be several. */
  readonly webhook?: number
  readonly account?: number
  readonly key?: number
}

/** The whole sentence. */
export const messageOf = ({ what, command }: Attention<string>): string =>
  command === undefined ? `${what}.` : `${what}: ${command}`
