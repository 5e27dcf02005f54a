/** An engine for callers who do not write Effect: built on a storage, run from outside, and closed by hand. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { type Engine, makeEngine } from "../Engine.js"
import { policiesOf, type PolicyOptions } from "../PolicyOptions.js"
import type { Storage } from "../port/Storage.js"
import { readyPortsOf, type StorageLayer } from "../port/StorageLayer.js"
import type { Usage } from "../port/Usage.js"
import { clockOf, type HostClock } from "./hostClock.js"

export type Opened = {
  readonly engine: Engine
  /** The value, or throws the failure itself: callers of promises get the tagged error, not a wrapper of it. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** Gives back what the engine has borrowed, then closes the storage. */
  readonly close: () => Promise<void>
}

/**
 * Only the storage is a layer here: building one takes longer than all else that opening does. Where the storage can't be opened, what
 * was opened of it is closed.
 */
export const opened = async (
  storage: StorageLayer,
  clock: HostClock | undefined,
  policies: PolicyOptions
): Promise<Opened> => {
  const scope = Effect.runSync(Scope.make())
  const ports = readyPortsOf(storage)
  const building =
    ports === undefined
      ? Scope.extend(Layer.toRuntime(storage), scope)
      : Effect.provide(Effect.runtime<Storage | Usage>(), ports)
  const built = await Effect.runPromiseExit(
    clock === undefined ? building : Effect.withClock(building, clockOf(clock))
  )
  if (Exit.isFailure(built)) await Effect.runPromise(Scope.close(scope, built))
  const runtime = unwrap(built)
  const run = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
    unwrap(await Runtime.runPromiseExit(runtime)(effect))
  const making = Effect.provide(makeEngine, policiesOf(policies))
  const engine = unwrap(
    await Runtime.runPromiseExit(runtime)(
      Effect.onError(Scope.extend(making, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  )
  return { engine, run, close: () => run(Scope.close(scope, Exit.void)) }
}

const unwrap = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}
