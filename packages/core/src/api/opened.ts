/** An engine for callers that do not use Effect: built on a storage, and closed explicitly. */
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

export type EngineRuntime = {
  readonly engine: Engine
  /** Returns the value, or throws the tagged error itself instead of a wrapper. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** Returns the leases of the engine, then closes the storage. */
  readonly close: () => Promise<void>
}

/** An error message for callers without types, instead of one about layers and effects. */
const NO_STORAGE =
  'storage: expected MemoryStorage.layer, SqliteStorage.layer({ filename: "pets.db" }) or ' +
  "the layer of another storage"

/**
 * Builds a layer for the storage alone, and only if the storage does not exist yet: that is the
 * slowest part of opening. If the storage fails to open, its opened parts are closed.
 */
export const opened = async (
  storage: StorageLayer,
  given: HostClock | undefined,
  policies: PolicyOptions
): Promise<EngineRuntime> => {
  if (!Layer.isLayer(storage)) throw new TypeError(NO_STORAGE)
  const rules = policiesOf(policies)
  const clock = given === undefined ? Clock.make() : clockOf(given)
  const ports = readyPortsOf(storage)
  const { services, run, shut } =
    ports === undefined ? await built(storage, clock) : ready(ports, clock)
  const { engine, close } = engineOf(Context.merge(services, rules), clock)
  return { engine, run, close: () => run(Effect.ensuring(close, shut)) }
}

type Base = Pick<EngineRuntime, "run"> & {
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
  return {
    services: runtime.context,
    run: running(() => runtime),
    shut: Scope.close(scope, Exit.void)
  }
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
  (runtime: () => Runtime.Runtime<never>): EngineRuntime["run"] =>
  async (effect) =>
    unwrap(await Runtime.runPromiseExit(runtime())(effect))

const unwrap = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}
