/** The pet store for hosts: opened on a storage, called as a library, closed at the end. */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Engine, makeEngine } from "./Engine.js"
import type { DirectApi, EffectApi, PromiseApi } from "./api/Api.js"
import {
  type ChangesEffects,
  changesEffects,
  type ChangesPromises,
  changesPromises
} from "./api/changes.js"
import { directApi, effectApi, promiseApi } from "./api/makeApis.js"
import type { HostClock } from "./api/hostClock.js"
import {
  type LimitsEffects,
  type LimitsPromises,
  limitsEffects,
  limitsPromises
} from "./api/limits.js"
import { NoDirectApi, StoreClosed } from "./api/errors.js"
import { opened } from "./api/opened.js"
import { throwIfAborted, type WatchedSignal } from "./value/Signal.js"
import { withSignal } from "./api/withSignal.js"
import { type Transact, transactEffect, transactPromise } from "./api/transact.js"
import { policiesOf, type PolicyOptions } from "./PolicyOptions.js"
import type { Storage } from "./engine/port/Storage.js"
import type { StorageLayer } from "./engine/port/StorageLayer.js"
import type { Usage } from "./engine/port/Usage.js"
import type { Shop } from "./registry/Shop.js"

/** The Effect API. */
export type PetStoreEffects = EffectApi<Shop> & {
  readonly limits: LimitsEffects
  readonly changes: ChangesEffects
  readonly transact: Transact<"effect">
  readonly engine: Engine
}

/** The Promise API, which {@link PetStore.open} returns. */
export type OpenPetStore = PromiseApi<Shop> & {
  /** Where accounts stand with their limits and bans. */
  readonly limits: LimitsPromises
  /** The feed of changes: call it to follow the feed; its methods read it in pages. */
  readonly changes: ChangesPromises
  /**
   * The same methods without promises, on a synchronous storage. Throws {@link NoDirectApi} on any
   * other.
   *
   * @example
   * const pet = store.direct.pets.get(1)
   */
  readonly direct: DirectApi<Shop>
  /**
   * Runs several steps as one transaction. If a step is refused, nothing is stored, and the promise
   * rejects with the refusal. The steps may run again, so they must do nothing but `yield*` the
   * methods of `tx`.
   *
   * @example
   * const { pet, entry } = await store.transact(function* (tx) {
   *   const pet = yield* tx.pets.create({ name: "Guppy", categoryId: 1 })
   *   const entry = yield* tx.inventory.set(pet.id, { quantity: 12 })
   *   return { pet, entry }
   * })
   */
  readonly transact: Transact<"promise">
  /**
   * The same store, with calls that an `AbortSignal` aborts. They reject with the signal's reason,
   * and a write that has not started is not made. A write that has started is finished, and its
   * call returns the result.
   *
   * @example
   * await store.withSignal(AbortSignal.timeout(200)).orders.place({ petId: 1 })
   */
  readonly withSignal: (
    signal: WatchedSignal
  ) => PromiseApi<Shop> & Pick<OpenPetStore, "limits" | "changes" | "transact">
  /** For adapters. */
  readonly engine: Engine
  /**
   * Lets running calls finish, returns the leases of limits, and closes the storage. Later calls
   * reject with {@link StoreClosed}. Safe to call twice.
   *
   * @example
   * try {
   *   await store.pets.list()
   * } finally {
   *   await store.close()
   * }
   */
  readonly close: () => Promise<void>
  /** The same as `close`, for `await using`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/**
 * The options of a store: its storage, its clock, and the rules of the host that replace defaults.
 */
export type OpenOptions = PolicyOptions & {
  /** The storage, such as `MemoryStorage.layer`. */
  readonly storage: StorageLayer
  /** The clock of the store, in milliseconds since 1970. By default, the clock of the machine. */
  readonly clock?: HostClock
}

/**
 * The pet store. Programs that use promises open it with `PetStore.open`. Programs written with
 * Effect use it as a service, with `PetStore.layer()`.
 */
export class PetStore extends Context.Tag("@petstore/core/PetStore")<PetStore, PetStoreEffects>() {
  /**
   * The store as a service. Policies that are not among the options come from
   * {@link OrderingPolicy}, {@link StatusPolicy}, {@link PlanTable} and {@link BanRules}, all of
   * which have defaults. Time comes from the clock of the fiber that builds the layer.
   */
  static readonly layer = (
    options: PolicyOptions = {}
  ): Layer.Layer<PetStore, never, Storage | Usage> =>
    Layer.scoped(
      PetStore,
      Effect.map(Effect.provide(makeEngine, policiesOf(options)), (engine) => ({
        ...effectApi(engine),
        limits: limitsEffects(engine),
        changes: changesEffects(engine),
        transact: transactEffect(engine),
        engine
      }))
    )

  /**
   * The same layer, with each option from a `Config`. Fails with a `ConfigError` also for a value
   * that the store refuses.
   *
   * @example
   * PetStore.layerConfig({
   *   ordering: Config.boolean("RECORD_ONLY").pipe(
   *     Config.map((recordOnly) =>
   *       recordOnly ? OrderingPolicy.recordOnly : OrderingPolicy.takeFromStock
   *     )
   *   )
   * })
   */
  static readonly layerConfig = (
    options: Config.Config.Wrap<PolicyOptions>
  ): Layer.Layer<PetStore, ConfigError.ConfigError, Storage | Usage> =>
    Layer.unwrapEffect(
      Effect.flatMap(Config.unwrap(options), (given) =>
        Effect.try({
          try: () => PetStore.layer(given),
          catch: (problem) => ConfigError.InvalidData([], String(problem))
        })
      )
    )

  /**
   * Opens a store. Rejects with `StorageError` if the storage can't be opened. Stores are
   * independent of each other. Close it, or open it with `await using`, so that running calls
   * finish and its leases are returned.
   *
   * @example
   * await using store = await PetStore.open({ storage: MemoryStorage.layer })
   */
  static readonly open = async (options: OpenOptions): Promise<OpenPetStore> => {
    const { storage, clock, ...policies } = options
    const { engine, run, close: shut } = await opened(storage, clock, policies)
    let closing: Promise<void> | undefined
    const ready = () => {
      if (closing !== undefined) throw new StoreClosed()
    }
    const direct = directApi(engine, ready)
    const close = () => (closing ??= shut())
    const promises = (on: Engine, check: () => void, signal?: WatchedSignal) => ({
      ...promiseApi(on, check, run),
      limits: limitsPromises(on, check, run),
      changes: changesPromises(on, check, run, signal),
      transact: transactPromise(on, check, run)
    })
    return {
      ...promises(engine, ready),
      withSignal: (signal) =>
        promises(
          withSignal(engine, signal),
          () => {
            ready()
            throwIfAborted(signal)
          },
          signal
        ),
      get direct() {
        if (direct === undefined) throw new NoDirectApi()
        return direct
      },
      engine,
      close,
      [Symbol.asyncDispose]: close
    }
  }
}
