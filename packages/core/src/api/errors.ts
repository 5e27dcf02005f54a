/** Why a store as a whole can't be called, whatever is asked of it. */
import * as Data from "effect/Data"

/** The store was closed. Open it again; what was acknowledged is stored. */
export class StoreClosed extends Data.TaggedError("StoreClosed")<{}> {
  readonly code = "shutting_down"
  override get message(): string {
    return "this store is closed: open it again to go on"
  }
}

/** The storage does not answer at once, so there is no direct API. Use the promises. */
export class NoDirectApi extends Data.TaggedError("NoDirectApi")<{}> {
  readonly code = "internal"
  override get message(): string {
    return "this storage does not answer at once, so the store has no direct API: use the promises instead"
  }
}
