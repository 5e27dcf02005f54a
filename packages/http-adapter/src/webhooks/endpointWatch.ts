/**
 * Looks for endpoints to deliver to: after a write of this process, when a wait is over, and when
 * another process has changed an endpoint, which no feed reports.
 */
import { type Engine, isPromise } from "@petstore/core/adapter"
import { type WebhookRow, webhooks } from "@petstore/core/storage"
import * as Either from "effect/Either"
import { valueOf } from "./valueOf.js"

/** The interval at which the data version of the endpoints is compared. */
const POLL_MS = 1_000

/** The wait after a failure of the store. */
export const RECOVERY_MS = 1_000

type EndpointWatchOptions = {
  readonly engine: Engine
  /** Begins deliveries to endpoints that are due. Resolves with the newest change of the feed. */
  readonly beginDue: (rows: ReadonlyArray<WebhookRow>) => Promise<number>
  readonly onStoreClosed: () => void
  readonly onError: (cause: unknown) => void
}

type EndpointWatch = {
  readonly start: () => void
  /** Looks again at this time, in milliseconds since 1970, or earlier. */
  readonly lookAt: (ms: number) => void
  /** Resolves once a look that is under way is over. */
  readonly stop: () => Promise<void>
}

export const watchEndpoints = (options: EndpointWatchOptions): EndpointWatch => {
  const { engine, beginDue, onStoreClosed, onError } = options
  let isStopped = false
  let running: Promise<void> | undefined
  let isRequested = false
  let cancelTimer = () => {}
  let timerMs = Number.POSITIVE_INFINITY
  let cancelPoll = () => {}
  let polledEdition = Number.NaN
  /** Undefined while there is no endpoint. */
  let unsubscribe: (() => void) | undefined
  let lastSequence = 0
  let cache: { readonly dataVersion: number; readonly rows: ReadonlyArray<WebhookRow> } | undefined

  const dataVersion = () => engine.direct?.dataVersion([webhooks]) ?? Number.NaN

  const enabledEndpoints = async (): Promise<ReadonlyArray<WebhookRow>> => {
    const at = dataVersion()
    if (cache?.dataVersion !== at)
      cache = { dataVersion: at, rows: await valueOf(engine.webhooks.enabled()) }
    return cache.rows
  }

  const lookOnce = async (): Promise<void> => {
    const rows = await enabledEndpoints()
    if (rows.length === 0) {
      unsubscribe?.()
      unsubscribe = undefined
      return
    }
    // Before the feed is read, so that no write is missed.
    if (!isStopped) unsubscribe ??= engine.feed.subscribe(onWrite)
    lastSequence = await beginDue(rows)
  }

  const look = async (): Promise<void> => {
    isRequested = false
    try {
      await lookOnce()
    } catch (cause) {
      if (isStopped) return
      onError(cause)
      lookAt(engine.nowMs() + RECOVERY_MS)
    } finally {
      running = undefined
      if (isRequested) wake()
    }
  }

  /** Looks now, or once more after the look that is under way. */
  const wake = (): void => {
    if (isStopped) return
    if (!engine.isOpen()) return onStoreClosed()
    isRequested = true
    running ??= look()
  }

  const lookAt = (ms: number): void => {
    if (isStopped || ms >= timerMs) return
    cancelTimer()
    timerMs = ms
    cancelTimer = engine.after(Math.max(0, ms - engine.nowMs()), () => {
      timerMs = Number.POSITIVE_INFINITY
      wake()
    })
  }

  /** The feed notifies after every write of this process, also after those of deliveries. */
  const onWrite = (): void => {
    const last = engine.isOpen() ? engine.feed.last() : undefined
    const isUnchanged =
      last !== undefined && !isPromise(last) && Either.isRight(last) && last.right === lastSequence
    if (!isUnchanged) wake()
  }

  const poll = (): void => {
    if (isStopped) return
    if (!engine.isOpen()) return onStoreClosed()
    const at = dataVersion()
    if (at !== polledEdition) wake()
    polledEdition = at
    cancelPoll = engine.after(POLL_MS, poll)
  }

  return {
    start: poll,
    lookAt,
    stop: async () => {
      isStopped = true
      unsubscribe?.()
      cancelTimer()
      cancelPoll()
      await running
    }
  }
}
