/** The status of a store's file for its operator. Times are in milliseconds since 1970. */
import type { FixedPlans, StorageError } from "@petstore/core"
import type { RecordGroups } from "@petstore/core/adapter"
import type { WebhookState } from "@petstore/core/storage"
import type { DriverOption } from "../connection/chosenDriver.js"
import type { DriverName } from "../driver/Driver.js"
import type { ProcessInfo } from "../connection/ProcessInfo.js"
import type { About } from "./About.js"

/** Which file, as of when, and with which plans. */
export type StatusOptions = DriverOption & {
  readonly filename: string
  /** The time of the status; by default now, by the system's clock. */
  readonly nowMs?: number
  /** The plans with fixed limits; by default those of the specification. */
  readonly plans?: FixedPlans
}

/**
 * What the system tells of a file without opening it. Sizes are in bytes; undefined means that the
 * system does not tell.
 */
export type FileInfo = {
  /** The path of the file, without symbolic links. */
  readonly path: string
  readonly fileBytes: number
  /** The write-ahead log beside it; 0 if there is none. */
  readonly logBytes: number
  readonly diskBytes: number | undefined
  /** The free space on the disk for this user. */
  readonly diskFreeBytes: number | undefined
  /**
   * The other processes that have the file open. Only Linux tells; a user that is not root sees
   * only its own processes.
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

/** A webhook with changes that were not delivered. */
export type WebhookBehind = {
  readonly id: number
  /** The scheme and host of its URL, whose path may be a secret. */
  readonly origin: string
  readonly state: WebhookState
  /**
   * Since when it is in this state. For an enabled webhook: since when its oldest message waits, or
   * null if that is no longer known.
   */
  readonly sinceMs: number | null
  /** Changes that wait to be sent. */
  readonly pending: number
  /**
   * Whether its receiver must load the shop again, because changes that it missed were deleted.
   */
  readonly needsResync: boolean
  /** Attempts of its next message that have failed. */
  readonly failures: number
  /** When that is tried again; null for at once, or never. */
  readonly nextMs: number | null
}

/** A key that expires soon, without its text. */
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

/** An account that is banned. */
export type BannedCaller = {
  readonly accountId: number
  readonly name: string
  readonly bannedUntilMs: number
}

/** An account near its limit of a minute or of a day. */
export type CallerNearLimit = {
  readonly accountId: number
  readonly name: string
  readonly window: "minute" | "day"
  /** Including the leases of servers, whose requests are not counted yet. */
  readonly used: number
  readonly limit: number
  /** When the window ends. */
  readonly resetMs: number
}

/** The contents of a file that can be read. */
export type StoreContents = {
  /** The schema of the file. */
  readonly schema: number
  readonly sqliteVersion: string
  readonly about: About
  /**
   * The first damage that SQLite found in the pages of the file; undefined if it found none, or did
   * not check them: see `isChecked`.
   */
  readonly damage: string | undefined
  /**
   * Whether the pages were checked. A file of more than 64 MiB is not checked.
   */
  readonly isChecked: boolean
  /** The rest is undefined if the file has an earlier schema without it. */
  readonly counts: StoreCounts | undefined
  readonly webhooksBehind: ReadonlyArray<WebhookBehind> | undefined
  readonly expiringKeys: ReadonlyArray<ExpiringKey> | undefined
  readonly bannedCallers: ReadonlyArray<BannedCaller> | undefined
  readonly callersNearLimit: ReadonlyArray<CallerNearLimit> | undefined
}

/** The status of a file at one time. */
export type StoreStatus = FileInfo & {
  readonly nowMs: number
  /** The schema that this version works with. */
  readonly currentSchema: number
  /** The driver by which this package opens files. */
  readonly driver: DriverName
  /**
   * The contents, or why they can't be read: the file is damaged, no store, or of a newer version.
   */
  readonly contents: StoreContents | StorageError
}
