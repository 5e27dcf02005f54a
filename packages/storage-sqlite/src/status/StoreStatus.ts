/** What an operator wants to know of a store's file. Times are in milliseconds since 1970. */
import type { FixedPlans, StorageError } from "@petstore/core"
import type { RecordGroups } from "@petstore/core/adapter"
import type { WebhookState } from "@petstore/core/storage"
import type { DriverOption } from "../connection/chosenDriver.js"
import type { DriverName } from "../driver/Driver.js"
import type { ProcessInfo } from "../connection/ProcessInfo.js"
import type { About } from "./About.js"

/** Which file, and by which clock and plans. */
export type StatusOptions = DriverOption & {
  readonly filename: string
  /** As of when; now by the system's clock unless given. */
  readonly nowMs?: number
  /** What the plans with fixed limits allow; as the specification has them unless given. */
  readonly plans?: FixedPlans
}

/**
 * What the system tells of a file without opening it. Sizes are in bytes; undefined is what it does
 * not tell.
 */
export type Surroundings = {
  /** The file, without links. */
  readonly path: string
  readonly fileBytes: number
  /** The write-ahead log beside it; 0 where there is none. */
  readonly logBytes: number
  readonly diskBytes: number | undefined
  /** What of the disk this user can still fill. */
  readonly diskFreeBytes: number | undefined
  /**
   * The other processes that have the file open. Linux tells; a user that is not root sees only its
   * own.
   */
  readonly processes: ReadonlyArray<ProcessInfo> | undefined
}

/** How many records of each type there are, by their groups, and how many of the rest. */
export type StoreCounts = Readonly<Record<keyof RecordGroups, number>> & {
  /** Changes that are kept for the feed, the history and webhooks. */
  readonly changes: number
  readonly accounts: number
  readonly keys: number
  readonly webhooks: number
}

/** A webhook that is not told of what has happened. */
export type WebhookBehind = {
  readonly id: number
  /** The scheme and host of its URL, whose path may be a secret. */
  readonly origin: string
  readonly state: WebhookState
  /**
   * Since when it is in this state; of an enabled one, since when its oldest message waits, null
   * where that is no longer known.
   */
  readonly sinceMs: number | null
  /** Changes that wait to be sent. */
  readonly pending: number
  /**
   * Whether its receiver is to load the shop anew, since the changes that it misses are not kept.
   */
  readonly needsResync: boolean
  /** Attempts of its next message that have failed. */
  readonly failures: number
  /** When that is tried again; null for at once, or never. */
  readonly nextMs: number | null
}

/** A key that will have expired soon, by what people know it by: never its text. */
export type ExpiringKey = {
  readonly id: number
  readonly accountId: number
  readonly name: string
  /** The first characters of the key. */
  readonly start: string
  readonly expiresMs: number
  /** When it was last used, to the minute; null where it never was. */
  readonly usedMs: number | null
}

/** An account whose requests are refused for a while. */
export type BannedCaller = {
  readonly accountId: number
  readonly name: string
  readonly bannedUntilMs: number
}

/** An account that has used up nearly all of what a minute or a day allows it. */
export type CallerNearLimit = {
  readonly accountId: number
  readonly name: string
  readonly window: "minute" | "day"
  /** With what servers have set aside for the account and not counted yet. */
  readonly used: number
  readonly limit: number
  /** When the window ends. */
  readonly resetMs: number
}

/** What is in a file that can be read. */
export type StoreContents = {
  /** The schema of the file. */
  readonly schema: number
  readonly sqliteVersion: string
  readonly about: About
  /**
   * The first damage that SQLite found in the pages of the file; undefined where it found none, or
   * did not look: see `isChecked`.
   */
  readonly damage: string | undefined
  /**
   * Whether the pages were looked through. They are not where there are more than 64 MiB of them.
   */
  readonly isChecked: boolean
  /** The rest is undefined where an earlier schema does not have it. */
  readonly counts: StoreCounts | undefined
  readonly webhooksBehind: ReadonlyArray<WebhookBehind> | undefined
  readonly expiringKeys: ReadonlyArray<ExpiringKey> | undefined
  readonly bannedCallers: ReadonlyArray<BannedCaller> | undefined
  readonly callersNearLimit: ReadonlyArray<CallerNearLimit> | undefined
}

/** A file and what is around it, as of one time. */
export type StoreStatus = Surroundings & {
  readonly nowMs: number
  /** The schema that this version works with. */
  readonly currentSchema: number
  /** The driver by which this package opens files. */
  readonly driver: DriverName
  /**
   * What is in the file, or why it can't be read: it is damaged, no store, or of a newer version.
   */
  readonly contents: StoreContents | StorageError
}
