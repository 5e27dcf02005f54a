/** The one way a storage fails. A refusal by a rule is not a failure of the storage. */
import * as Data from "effect/Data"

/**
 * - `Busy`: others hold the storage for longer than the configured wait; trying again later helps.
 * - `Full`: there is no room for the write; reads go on.
 * - `ReadOnly`: the storage takes no writes.
 * - `Corrupt`: what is stored can't be read as what it should be.
 * - `NewerVersion`: written by a newer version of this software.
 * - `OlderVersion`: written by an earlier version; has to be upgraded before this one can use it.
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

/** What the storage could not do, and why. */
export class StorageError extends Data.TaggedError("StorageError")<{
  readonly reason: StorageErrorReason
  /** For the operator: names what was opened or done. Never shown to a caller over the network. */
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
