/**
 * What the APIs and adapters use: the operations of the shop, a storage, an authenticator and a
 * clock.
 */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type Authenticator, makeAuthenticator } from "./access/admission/Authenticator.js"
import { after } from "./value/after.js"
import { type Feed, makeFeed, type OwnFeed } from "./feed/Feed.js"
import { ChangeRetentionRules } from "./shop/change/Retention.js"
import { notifyOnWrite, notifyOnDirectWrite } from "./feed/notifyOnWrite.js"
import { type DeprecatedCalls, makeDeprecatedCalls } from "./access/deprecation/DeprecatedCalls.js"
import { Entropy } from "./access/key/Entropy.js"
import { checkedBanPolicy } from "./access/limit/Ban.js"
import { BanRules } from "./access/limit/BanRules.js"
import { checkedPlans } from "./access/account/Plan.js"
import { PlanTable } from "./access/account/PlanTable.js"
import { OrderingPolicy } from "./shop/order/OrderingPolicy.js"
import { StatusPolicy } from "./shop/pet/StatusPolicy.js"
import { DirectStorage, Storage } from "./engine/port/Storage.js"
import type { Read, Write } from "./engine/port/Runner.js"
import { type Direct, withDefaultCapabilities } from "./engine/port/capabilities.js"
import { Usage } from "./engine/port/Usage.js"
import { programOf, readProgramOf } from "./engine/program/requests.js"
import { makeDeliveryQueue, type DeliveryQueue } from "./webhook/DeliveryQueue.js"
import { WebhookRules } from "./webhook/WebhookRules.js"
import { makeShop, type Shop } from "./registry/Shop.js"
import type { TimerOptions } from "./value/timers.js"
import { wholeMs } from "./value/wholeMs.js"

/**
 * What adapters build on: operations as data, storage, authenticator and clock of one store.
 * Programs that only call the store do not need it.
 */
export type Engine = {
  readonly shop: Shop
  readonly storage: Context.Tag.Service<Storage>
  /** The synchronous form of the storage, if it has one, with all capabilities. */
  readonly direct: Direct | undefined
  /** Whether the store accepts new calls. Adapters check it first. */
  readonly isOpen: () => boolean
  /**
   * Whether the store is open and its storage can be reached, as far as is known without waiting.
   */
  readonly isReady: () => boolean
  /** Random bytes from the source of the host, for generated names. */
  readonly randomBytes: (count: number) => Uint8Array
  /** Milliseconds since 1970, by the clock that the store was opened with. */
  readonly nowMs: () => number
  /**
   * Calls `run` once after `ms` milliseconds of the same clock. Returns a function that cancels it.
   * Keeps the process alive until then, unless `unref` is true.
   */
  readonly after: (ms: number, run: () => void, options?: TimerOptions) => () => void
  /** Runs a reading program: synchronously if the storage is synchronous. */
  readonly read: Read
  /** Runs a program as one transaction: synchronously if the storage is synchronous. */
  readonly write: Write
  /** Admits or refuses requests, and counts them. */
  readonly authenticator: Authenticator
  /** Counts calls of deprecated operations. */
  readonly deprecations: DeprecatedCalls
  /** The feed of changes. */
  readonly feed: Feed
  /** The same feed with internal methods, for the APIs and for test engines. */
  readonly ownFeed: OwnFeed
  /** The queue of webhook deliveries, for the worker that sends them. */
  readonly webhooks: DeliveryQueue
}

/** An engine, and the effect that closes it and returns its leases. */
export type Made = { readonly engine: Engine; readonly close: Effect.Effect<void> }

/** Makes an engine synchronously, so that a store on an existing storage opens at once. */
export const engineOf = (services: Context.Context<Storage | Usage>, clock: Clock.Clock): Made => {
  const given = Context.get(services, Storage)
  const givenDirect = Option.getOrUndefined(
    Option.map(Context.getOption(services, DirectStorage), withDefaultCapabilities)
  )
  const { randomBytes } = Context.get(services, Entropy)
  const webhookPolicy = Context.get(services, WebhookRules)
  const shop = makeShop({
    ordering: Context.get(services, OrderingPolicy),
    transitions: Context.get(services, StatusPolicy),
    randomBytes,
    webhooks: webhookPolicy,
    retention: Context.get(services, ChangeRetentionRules)
  })

  // Throws for an invalid clock before anything is opened with it.
  wholeMs(clock.unsafeCurrentTimeMillis())
  let isOpen = true
  const feed = makeFeed({
    ...running(given, givenDirect),
    dataVersion: givenDirect?.dataVersion,
    randomBytes,
    clock
  })
  const storage = notifyOnWrite(given, feed.written)
  const direct = givenDirect && notifyOnDirectWrite(givenDirect, feed.written)
  const base: Omit<Engine, "authenticator" | "deprecations" | "webhooks"> = {
    shop,
    storage,
    direct,
    isOpen: () => isOpen,
    isReady: () => isOpen && (given.isReady?.() ?? true),
    randomBytes,
    nowMs: () => wholeMs(clock.unsafeCurrentTimeMillis()),
    after: (ms, run, options) => after(clock, ms, run, options),
    ...running(storage, direct),
    feed,
    ownFeed: feed
  }
  const authenticator = makeAuthenticator({
    read: base.read,
    write: base.write,
    dataVersion: direct?.dataVersion,
    usage: Context.get(services, Usage),
    plans: checkedPlans(Context.get(services, PlanTable)),
    banPolicy: checkedBanPolicy(Context.get(services, BanRules))
  })
  const deprecations = makeDeprecatedCalls(base.write)
  // Refuses new calls before the leases are returned.
  const close = Effect.suspend(() => {
    isOpen = false
    feed.close()
    return Effect.zipRight(deprecations.flush, Effect.ignoreLogged(authenticator.settle))
  })
  return {
    engine: {
      ...base,
      authenticator,
      deprecations,
      webhooks: makeDeliveryQueue(base, webhookPolicy)
    },
    close
  }
}

/** Makes an engine from the services of the context. Closes it with the scope. */
export const makeEngine: Effect.Effect<Engine, never, Storage | Usage | Scope.Scope> =
  Effect.clockWith((clock) =>
    Effect.contextWithEffect((services: Context.Context<Storage | Usage>) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => engineOf(services, clock)),
          ({ close }) => close
        ),
        ({ engine }) => engine
      )
    )
  )

/** Runs programs synchronously if the storage can, else as promises. */
const running = (
  storage: Context.Tag.Service<Storage>,
  direct: Direct | undefined
): Pick<Engine, "read" | "write"> =>
  direct === undefined
    ? {
        read: (start) => Effect.runPromise(Effect.either(storage.read(readProgramOf(start)))),
        write: (start) => Effect.runPromise(Effect.either(storage.write(programOf(start))))
      }
    : {
        read: (start) => direct.read(readProgramOf(start)),
        write: (start) => direct.submit(programOf(start))
      }
