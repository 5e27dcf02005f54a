/** A promise of a storage port, as a sentence and a check of it. */
import type { Storage, StorageError, Usage } from "@petstore/core"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** The backend does not keep the promise. `detail` has the expected and the actual result. */
export class ClaimFailed extends Data.TaggedError("ClaimFailed")<{ readonly detail: string }> {
  override get message(): string {
    return this.detail
  }
}

/**
 * `check` takes a backend with nothing in it, and leaves whatever it likes: each check gets a fresh
 * one.
 */
export type Claim<R = Storage | Usage> = {
  readonly claim: string
  readonly check: Effect.Effect<void, ClaimFailed | StorageError, R>
}
