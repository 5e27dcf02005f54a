/** Everything of a store that needs attention. */
import { StorageError } from "@petstore/core"
import type { StoreStatus } from "@petstore/storage-sqlite"
import { shellWord } from "../terminal/text.js"
import type { Attention } from "./Attention.js"
import { backupAttention, fileAttention, unreadableAttention } from "./fileAttention.js"
import { banAttention, keyAttention, limitAttention, webhookAttention } from "./recordAttention.js"

type AttentionRules = {
  /** The name of the file as given on the command line. */
  readonly db: string
  /** How old the last backup may be, in milliseconds. */
  readonly backupWithinMs: number
}

/** The most urgent first. */
export const attentionOf = (
  status: StoreStatus,
  { db, backupWithinMs }: AttentionRules
): ReadonlyArray<Attention<string>> => {
  const file = shellWord(db)
  const { contents, processes } = status
  if (contents instanceof StorageError)
    return [unreadableAttention(contents, file), ...fileAttention(status, undefined, file)]
  const {
    webhooksBehind = [],
    bannedCallers = [],
    callersNearLimit = [],
    expiringKeys = []
  } = contents
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
