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
  /** The storage again, where it answers at once. */
  readonly direct: Context.Tag.Service<DirectStorage> | undefined
  /** Whether the store takes anything new; adapters ask before they do. */
  readonly isOpen: () => boolean
  /**
   * Whether the store is open and its storage can be reached, as far as that can be told at once.
   */
  readonly isReady: () => boolean
  /** Random bytes of the host's choice, for whatever needs names of its own. */
  readonly randomBytes: (count: number) => Uint8Array
  /** Milliseconds since 1970, by the clock of whoever opened the store. */
  readonly nowMs: () => number
  /**
   * Runs something once, so many milliseconds from now by the same clock; what it returns cancels
   * that. The process stays alive until then, unless `unref` is true.
   */
  readonly after: (ms: number, run: () => void, options?: TimerOptions) => () => void
  /** Runs a reading program: at once where the storage answers at once. */
  readonly read: Read
  /** Runs a program as one transaction: at once where the storage answers at once. */
  readonly write: Write
  /** Who may come in. */
  readonly gate: Authenticator
  /** Counts calls of what is deprecated. */
  readonly deprecations: DeprecatedCalls
  /** What has changed, in order, and who is to be told. */
  readonly feed: Feed
  /** The same as this engine keeps it: for the APIs, and for engines of tests. */
  readonly ownFeed: OwnFeed
  /** For the worker that delivers webhooks. */
  readonly webhooks: DeliveryQueue
}

/** An engine, and what gives back what it has borrowed. */
export type Made = { readonly engine: Engine; readonly close: Effect.Effect<void> }

/**
 * Puts an engine together. Nothing is run for it, so that a store on a storage that is there
 * already is open at once.
 */
export const engineOf = (services: Context.Context<Storage | Usage>, clock: Clock.Clock): Made => {
  const given = Context.get(services, Storage)
  const givenDirect = Option.getOrUndefined(Context.getOption(services, DirectStorage))
  const { randomBytes } = Context.get(services, Entropy)
  const webhookPolicy = Context.get(services, WebhookRules)
  const shop = makeShop({
    ordering: Context.get(services, OrderingPolicy),
    transitions: Context.get(services, StatusPolicy),
    randomBytes,
    webhooks: webhookPolicy,
    retention: Context.get(services, ChangeRetentionRules)
  })

  // A clock that says no time is found out before anything is opened with it.
  wholeMs(clock.unsafeCurrentTimeMillis())
  let isOpen = true
  const feed = makeFeed({ ...running(given, givenDirect), edition: givenDirect?.edition, randomBytes, clock })
  const storage = notifyOnWrite(given, feed.written)
  const direct = givenDirect && notifyOnDirectWrite(givenDirect, feed.written)
  const base: Omit<Engine, "gate" | "deprecations" | "webhooks"> = {
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
  const gate = makeAuthenticator({
    read: base.read,
    write: base.write,
    edition: direct?.edition,
    usage: Context.get(services, Usage),
    plans: checkedPlans(Context.get(services, PlanTable)),
    banPolicy: checkedBanPolicy(Context.get(services, BanRules))
  })
  const deprecations = makeDeprecatedCalls(base.write)
  // Nothing new is taken on while the rest is given back.
  const close = Effect.suspend(() => {
    isOpen = false
    feed.close()
    return Effect.zipRight(deprecations.flush, Effect.ignoreLogged(gate.settle))
  })
  return {
    engine: { ...base, gate, deprecations, webhooks: makeDeliveryQueue(base, webhookPolicy) },
    close
  }
}

/**
 * Makes an engine from what its surroundings provide; returns what it borrowed when its scope
 * closes.
 */
export const makeEngine: Effect.Effect<Engine, never, Storage | Usage | Scope.Scope> = Effect.clockWith(
  (clock) =>
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

/** Runs programs in the quickest way the storage has. */
const running = (
  storage: Context.Tag.Service<Storage>,
  direct: Context.Tag.Service<DirectStorage> | undefined
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
