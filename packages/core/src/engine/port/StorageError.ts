/** The one way a storage fails. A refusal by a rule is not a failure of the storage. */
import * as Data from "effect/Data"

/**
 * - `Busy`: another process holds the storage for longer than the configured wait. Retry later.
 * - `Full`: there is no space for the write. Reads still work.
 * - `ReadOnly`: the storage accepts no writes.
 * - `Corrupt`: the stored data is damaged.
 * - `NewerVersion`: written by a newer version of this software.
 * - `OlderVersion`: written by an earlier version. Upgrade it first.
 * - `Unavailable`: can't be opened or reached.
 * - `Unknown`: anything else; see `cause`.
 */
export type StorageErrorReason =
  | "Busy"
  | "Full"
  | "ReadOnly"
  | "Corrupt"
  | "NewerVersion"
  | "OlderVersion"
  | "Unavailable"
  | "Unknown"

/** The operation that failed, and the reason. */
export class StorageError extends Data.TaggedError("StorageError")<{
  readonly reason: StorageErrorReason
  /** Details for the operator. Never shown to a caller over the network. */
  readonly detail: string
  readonly cause?: unknown
}> {
  get code(): "storage_full" | "unavailable" | "internal" {
    if (this.reason === "Full") return "storage_full"
    return this.reason === "Busy" || this.reason === "Unavailable" ? "unavailable" : "internal"
  }
  override get message(): string {
    return `${this.reason}: ${this.detail}`
  }
}
