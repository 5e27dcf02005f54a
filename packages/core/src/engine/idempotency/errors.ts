/** Why a repeated request is refused. */
import * as Data from "effect/Data"

/** The key was used for another request. Send that one again, or use another key. */
export class IdempotencyMismatch extends Data.TaggedError("IdempotencyMismatch")<{}> {
  readonly code = "idempotency_mismatch"
  override get message(): string {
    return (
      "this Idempotency-Key was used for another request: send the same one again, or use " +
      "another key"
    )
  }
}
