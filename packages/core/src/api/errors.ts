/** Errors of the store as a whole, whatever is called. */
import * as Data from "effect/Data"

/** The store is closed. Open it again; all acknowledged writes are stored. */
export class StoreClosed extends Data.TaggedError("StoreClosed")<{}> {
  readonly code = "shutting_down"
  override get message(): string {
    return "this store is closed: open it again to go on"
  }
}

/** The storage is not synchronous, so there is no direct API. Use the promises. */
export class NoDirectApi extends Data.TaggedError("NoDirectApi")<{}> {
  readonly code = "internal"
  override get message(): string {
    return (
      "this storage does not answer at once, so the store has no direct API: use the promises " +
      "instead"
    )
  }
}
