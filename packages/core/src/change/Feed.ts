/** The changes of a store as adapters read them: by place, and told when there may be more. */
import type * as Either from "effect/Either"
import type { MaybePromise } from "../maybePromise.js"
import type { StorageError } from "../port/StorageError.js"
import type { Change, Resync } from "./Change.js"

export type Feed = {
  /** The sequence of the last change; 0 when there was none. */
  readonly last: () => MaybePromise<Either.Either<number, StorageError>>
  /**
   * Names this store's feed, in letters and digits: kept in the store, and another in every other store and in a backup that was
   * restored. A place in the feed that is kept outside is worth something only beside it.
   */
  readonly epoch: () => MaybePromise<Either.Either<string, StorageError>>
  /**
   * At most `limit` changes after that place, oldest first; none when there is nothing newer. One {@link Resync} where they are not
   * kept any more, or the place is ahead of the store. The newest are served from memory, whoever asks for them.
   */
  readonly page: (
    after: number,
    limit: number
  ) => MaybePromise<Either.Either<ReadonlyArray<Change> | Resync, StorageError>>
  /**
   * Calls `wake` soon after there is something newer: at once for writes of this process, within 250 ms for those of others, which
   * are looked for only while someone is subscribed. Returns what ends it.
   */
  readonly subscribe: (wake: () => void) => () => void
}
