/**
 * An engine for callers who do not write Effect: built on a storage, run from outside, and closed
 * by hand.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { type Engine, engineOf } from "../Engine.js"
import { policiesOf, type PolicyOptions } from "../PolicyOptions.js"
import type { Storage } from "../engine/port/Storage.js"
import { readyPortsOf, type StorageLayer } from "../engine/port/StorageLayer.js"
import type { Usage } from "../engine/port/Usage.js"
import { clockOf, type HostClock } from "./hostClock.js"

export type Opened = {
  readonly engine: Engine
  /**
   * The value, or throws the failure itself: callers of promises get the tagged error, not a
   * wrapper of it.
   */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** Gives back what the engine has borrowed, then closes the storage. */
  readonly close: () => Promise<void>
}

/** For callers without types, who would read of layers and effects otherwise. */
const NO_STORAGE =
  'storage: expected MemoryStorage.layer, SqliteStorage.layer({ filename: "pets.db" }) or the layer of another storage'

/**
 * Only the storage is built as a layer, and only where it is not there already: that takes longer
 * than all else that opening does. Where the storage can't be opened, what was opened of it is
 * closed.
 */
export const opened = async (
  storage: StorageLayer,
  given: HostClock | undefined,
  policies: PolicyOptions
): Promise<Opened> => {
  if (!Layer.isLayer(storage)) throw new TypeError(NO_STORAGE)
  const rules = policiesOf(policies)
  const clock = given === undefined ? Clock.make() : clockOf(given)
  const ports = readyPortsOf(storage)
  const { services, run, shut } = ports === undefined ? await built(storage, clock) : ready(ports, clock)
  const { engine, close } = engineOf(Context.merge(services, rules), clock)
  return { engine, run, close: () => run(Effect.ensuring(close, shut)) }
}

type Base = Pick<Opened, "run"> & {
  readonly services: Context.Context<Storage | Usage>
  readonly shut: Effect.Effect<void>
}

const built = async (storage: StorageLayer, clock: Clock.Clock): Promise<Base> => {
  const scope = Effect.runSync(Scope.make())
  const exit = await Effect.runPromiseExit(
    Effect.withClock(Scope.extend(Layer.toRuntime(storage), scope), clock)
  )
  if (Exit.isFailure(exit)) await Effect.runPromise(Scope.close(scope, exit))
  const runtime = unwrap(exit)
  return { services: runtime.context, run: running(() => runtime), shut: Scope.close(scope, Exit.void) }
}

const ready = (services: Context.Context<Storage | Usage>, clock: Clock.Clock): Base => {
  let runtime: Runtime.Runtime<never> | undefined
  return {
    services,
    run: running(() => (runtime ??= Effect.runSync(Effect.withClock(Effect.runtime(), clock)))),
    shut: Effect.void
  }
}

const running =
  (runtime: () => Runtime.Runtime<never>): Opened["run"] =>
  async (effect) =>
    unwrap(await Runtime.runPromiseExit(runtime())(effect))

const unwrap = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}
