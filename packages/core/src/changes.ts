/** The feed as an Effect `Stream`: a separate entry, so that only programs that stream load it. */
import * as Stream from "effect/Stream"
import type { Change, ChangeType, Resync } from "./shop/change/Change.js"
import { follow, type FollowOptions } from "./feed/follow.js"
import type { Engine } from "./Engine.js"
import { StorageError } from "./engine/port/StorageError.js"
import { InvalidParameter } from "./value/errors.js"

/**
 * Every change in order, without a gap or a repeat, as `store.changes` of the Promise API yields
 * them. Ends when the store is closed. Interrupting the stream ends its subscription.
 *
 * @example
 * changesStream(yield* PetStore, { after: 0 }).pipe(Stream.runForEach(Effect.log))
 */
export const changesStream = <Type extends ChangeType = ChangeType>(
  { engine }: { readonly engine: Engine },
  options: Omit<FollowOptions<Type>, "signal"> = {}
): Stream.Stream<
  Extract<Change, { readonly type: Type }> | Resync,
  InvalidParameter | StorageError
> =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable(follow(engine.ownFeed, engine.isOpen, options), (thrown) => thrown)
  ).pipe(
    Stream.catchAll((thrown) =>
      thrown instanceof StorageError || thrown instanceof InvalidParameter
        ? Stream.fail(thrown)
        : Stream.die(thrown)
    )
  )
