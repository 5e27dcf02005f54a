/** What an operator wants to know of a store's file. */
import type { FixedPlans, StorageError } from "@petstore/core"
import type { About } from "../about.js"
import type { CallerNearLimit, BannedCaller } from "./callers.js"
import type { StoreCounts } from "./counts.js"
import type { ExpiringKey } from "./expiringKeys.js"
import type { Surroundings } from "./surroundings.js"
import type { WebhookBehind } from "./webhooksBehind.js"

/** Which file, and by which clock and plans. */
export type StatusOptions = {
  readonly filename: string
  /** As of when, in milliseconds since 1970; now by the system's clock unless given. */
  readonly nowMs?: number
  /** What the plans with fixed limits allow; as the specification has them unless given. */
  readonly plans?: FixedPlans
}

/** What is in a file that can be read. */
export type StoreContents = {
  /** The schema of the file. */
  readonly schema: number
  readonly sqliteVersion: string
  readonly about: About
  /**
   * The first damage that SQLite found in the pages of the file; undefined where it found none, or did
   * not look: see `isChecked`.
   */
  readonly damage: string | undefined
  /** Whether the pages were looked through. They are not where there are more than 64 MiB of them. */
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
  readonly driver: "better-sqlite3"
  /** What is in the file, or why it can't be read: it is damaged, no store, or of a newer version. */
  readonly contents: StoreContents | StorageError
}
