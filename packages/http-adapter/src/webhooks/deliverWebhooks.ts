/** Delivers what the feed tells to every endpoint that asks for it: decides when to look, and keeps one delivery under way for each. */
import { setMaxListeners } from "node:events"
import {
  dueMs,
  heldByOther,
  StorageError,
  type WebhookOutcome,
  type WebhookRow,
  webhooks
} from "@petstore/core"
import * as Either from "effect/Either"
import { engineOf } from "../serve/engineOf.js"
import { clearTimeout, setImmediate, setTimeout } from "../timers.js"
import type { DeliveringStore, DeliverOptions, WebhookDelivery } from "./DeliverOptions.js"
import { makeEndpointDelivery, value } from "./endpointDelivery.js"
import { httpSender } from "./httpSender.js"
import { Semaphore } from "./Semaphore.js"

/** How often changes of endpoints are looked for, which come from elsewhere and are in no feed. */
const LOOK_EVERY_MS = 1_000

/** After a failure of the store. */
const RECOVER_MS = 1_000

/** After anything else, such as a secret that is another one: that takes somebody to put right. */
const MENDED_MS = 60_000

/** Beyond the time for an answer: for what is done between two messages. */
const LEASE_SLACK_MS = 15_000

/**
 * Sends each endpoint of the store what it asks for, in the order of the feed, until it is closed; what could not be delivered is tried
 * again by the schedule of Standard Webhooks. Costs nothing while there is nothing to send. Several processes may do so on one
 * file: one sends to an endpoint at a time. Keeps the process alive until it is closed.
 *
 * @example
 * await using delivery = deliverWebhooks(store)
 */
export const deliverWebhooks = (store: DeliveringStore, options: DeliverOptions = {}): WebhookDelivery => {
  const engine = engineOf(store)
  const { concurrency = 32, timeoutMs = 15_000, closeTimeoutMs = 5_000 } = options
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new RangeError("concurrency: expected a whole number from 1")
  const sender = options.sender ?? httpSender({ nowMs: engine.nowMs })
  const worker = {
    holder: Buffer.from(engine.randomBytes(12)).toString("hex"),
    leaseMs: timeoutMs + LEASE_SLACK_MS
  }
  const counts = new Map<WebhookOutcome, number>()
  const stopping = new AbortController()
  // Each message that is under way listens to it.
  setMaxListeners(0, stopping.signal)
  const running = new Map<number, Promise<void>>()
  /** Endpoints that are left alone until then, or until they have another secret. */
  const blocked = new Map<number, { readonly untilMs: number; readonly generation: number }>()
  let isClosed = false
  let closing: Promise<void> | undefined

  /** What whoever is told throws is nothing that deliveries could do something about. */
  const onError = (cause: unknown): void => {
    try {
      options.onError?.(cause)
    } catch {
      // Nobody is left to tell.
    }
  }

  const endpoint = makeEndpointDelivery({
    engine,
    sender,
    worker,
    timeoutMs,
    random: options.random ?? (() => Buffer.from(engine.randomBytes(4)).readUInt32BE() / 2 ** 32),
    isStopping: () => isClosed,
    places: new Semaphore(concurrency),
    stopped: stopping.signal,
    onAttempt: (attempt) => {
      counts.set(attempt.outcome, (counts.get(attempt.outcome) ?? 0) + 1)
      try {
        options.onAttempt?.(attempt)
      } catch (cause) {
        onError(cause)
      }
    },
    onError
  })

  const begin = (row: WebhookRow): void => {
    running.set(row.id, delivering(row))
  }

  const delivering = async (row: WebhookRow): Promise<void> => {
    let isAsItWas = false
    try {
      isAsItWas = !(await endpoint.deliver(row))
    } catch (cause) {
      if (isClosed) return
      const ms = cause instanceof StorageError ? RECOVER_MS : MENDED_MS
      blocked.set(row.id, { untilMs: engine.nowMs() + ms, generation: row.generation })
      onError(cause)
    } finally {
      running.delete(row.id)
      // In a turn of its own, so that a store that answers at once is not all that this process has time for.
      setImmediate(() => void lookAt(row.id, isAsItWas ? row : undefined))
    }
  }

  /** From when on the endpoint can be looked at again; undefined where it is at work, or has nothing to do. */
  const waitingUntilMs = (
    row: WebhookRow,
    epoch: string,
    last: number,
    nowMs: number
  ): number | undefined => {
    if (running.has(row.id) || !endpoint.hasWork(row, epoch, last)) return undefined
    const heldMs = heldByOther(row, worker, nowMs) ? (row.leaseUntilMs ?? 0) : 0
    const block = blocked.get(row.id)
    return Math.max(heldMs, dueMs(row), block?.generation === row.generation ? block.untilMs : 0)
  }

  let looking: Promise<void> | undefined
  let again = false
  let cancelTimer = () => {}
  let timerMs = Number.POSITIVE_INFINITY

  /** Ends what the feed tells; undefined while nobody is there to be told. */
  let unsubscribe: (() => void) | undefined
  let lastSeen = 0
  const edition = () => engine.direct?.edition([webhooks]) ?? Number.NaN

  /** The endpoints that are sent to, as of an edition. */
  let known: { readonly edition: number; readonly rows: ReadonlyArray<WebhookRow> } | undefined
  const enabled = async (): Promise<ReadonlyArray<WebhookRow>> => {
    const at = edition()
    if (known?.edition !== at) known = { edition: at, rows: await value(engine.webhooks.enabled()) }
    return known.rows
  }

  const lookOnce = async (): Promise<void> => {
    const rows = await enabled()
    if (rows.length === 0) {
      unsubscribe?.()
      unsubscribe = undefined
      return
    }
    if (!isClosed) unsubscribe ??= engine.feed.subscribe(told)
    lastSeen = await beginDue(rows)
  }

  /** Answers with how far the feed is. */
  const beginDue = async (rows: ReadonlyArray<WebhookRow>): Promise<number> => {
    const epoch = await value(engine.feed.epoch())
    const last = await value(engine.feed.last())
    if (isClosed) return last
    const nowMs = engine.nowMs()
    for (const row of rows) {
      const untilMs = waitingUntilMs(row, epoch, last, nowMs)
      if (untilMs === undefined) continue
      if (untilMs <= nowMs) begin(row)
      else lookAgainAt(untilMs)
    }
    return last
  }

  /** One that has just been delivered to, as there may be a thousand others with nothing new. */
  const lookAt = async (id: number, asItIs: WebhookRow | undefined): Promise<void> => {
    if (isClosed) return
    if (!engine.isOpen()) return void close()
    try {
      const row = asItIs ?? (await value(engine.webhooks.one(id)))
      if (row?.state === "enabled" && !isClosed) await beginDue([row])
    } catch (cause) {
      if (isClosed) return
      onError(cause)
      lookAgainAt(engine.nowMs() + RECOVER_MS)
    }
  }

  const lookAgainAt = (ms: number): void => {
    if (isClosed || ms >= timerMs) return
    cancelTimer()
    timerMs = ms
    cancelTimer = engine.after(Math.max(0, ms - engine.nowMs()), () => {
      timerMs = Number.POSITIVE_INFINITY
      wake()
    })
  }

  const look = async (): Promise<void> => {
    again = false
    try {
      await lookOnce()
    } catch (cause) {
      if (isClosed) return
      onError(cause)
      lookAgainAt(engine.nowMs() + RECOVER_MS)
    } finally {
      looking = undefined
      if (again) wake()
    }
  }

  const wake = (): void => {
    if (isClosed) return
    if (!engine.isOpen()) return void close()
    again = true
    looking ??= look()
  }

  /** The feed wakes after every write of this process, those of deliveries included. */
  const told = (): void => {
    const last = engine.isOpen() ? engine.feed.last() : undefined
    const isNothingNew =
      last !== undefined && !(last instanceof Promise) && Either.isRight(last) && last.right === lastSeen
    if (!isNothingNew) wake()
  }

  let seen = Number.NaN
  let cancelRound = () => {}
  const round = (): void => {
    if (isClosed) return
    if (!engine.isOpen()) return void close()
    const at = edition()
    if (at !== seen) wake()
    seen = at
    cancelRound = engine.after(LOOK_EVERY_MS, round)
  }

  round()

  const shutDown = async (): Promise<void> => {
    isClosed = true
    unsubscribe?.()
    cancelTimer()
    cancelRound()
    const bound = setTimeout(() => stopping.abort(), closeTimeoutMs)
    await Promise.all([looking, ...running.values()])
    clearTimeout(bound)
    sender.close()
  }

  const close = () => (closing ??= shutDown())
  return { counts: () => counts, close, [Symbol.asyncDispose]: close }
}
