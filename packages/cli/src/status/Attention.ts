/** What of a store needs somebody to do something, and what. */
import { StorageError } from "@petstore/core"
import type { StoreStatus } from "@petstore/storage-sqlite"
import { shellWord } from "../terminal/text.js"
import { backupAttention, fileAttention, unreadableAttention } from "./fileAttention.js"
import { banAttention, keyAttention, limitAttention, webhookAttention } from "./recordAttention.js"

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
  /** What programs switch on. */
  readonly code: Code
  /** What is wrong and what to do, as a sentence that ends with `command` where there is one. */
  readonly what: string
  readonly command?: string
  /** The id of what it is about, where there may be several. */
  readonly webhook?: number
  readonly account?: number
  readonly key?: number
}

export type AttentionRules = {
  /** The file as it was asked for. */
  readonly db: string
  /** How old the last backup may be, in milliseconds. */
  readonly backupWithinMs: number
}

/** Everything that needs attention, what is most urgent first. */
export const attentionOf = (
  status: StoreStatus,
  { db, backupWithinMs }: AttentionRules
): ReadonlyArray<Attention<string>> => {
  const file = shellWord(db)
  const { contents, processes } = status
  if (contents instanceof StorageError)
    return [unreadableAttention(contents, file), ...fileAttention(status, undefined, file)]
  const { webhooksBehind = [], bannedCallers = [], callersNearLimit = [], expiringKeys = [] } = contents
  const isOpen = processes === undefined || processes.length > 0
  return [
    ...fileAttention(status, contents, file),
    ...backupAttention(status, contents, backupWithinMs, file),
    ...webhooksBehind.map((each) => webhookAttention(each, isOpen, file)),
    ...bannedCallers.map((each) => banAttention(each, file)),
    ...callersNearLimit.map((each) => limitAttention(each, file)),
    ...expiringKeys.map((each) => keyAttention(each, file))
  ]
}

/** The whole sentence. */
export const messageOf = ({ what, command }: Attention<string>): string =>
  command === undefined ? `${what}.` : `${what}: ${command}`
