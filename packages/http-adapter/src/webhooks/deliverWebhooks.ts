/** Delivers the changes of the feed to every endpoint, with one delivery at a time for each. */
import { setMaxListeners } from "node:events"
import { dueMs, heldByOther } from "@petstore/core/adapter"
import { StorageError, type WebhookOutcome, type WebhookRow } from "@petstore/core/storage"
import { engineOf } from "../serve/engineOf.js"
import { clearTimeout, setImmediate, setTimeout } from "../timers.js"
import type { DeliveringStore, DeliverOptions, WebhookDelivery } from "./DeliverOptions.js"
import { makeEndpointDelivery } from "./endpointDelivery.js"
import { RECOVERY_MS, watchEndpoints } from "./endpointWatch.js"
import { httpSender } from "./httpSender.js"
import { Semaphore } from "./Semaphore.js"
import { valueOf } from "./valueOf.js"

/** The wait after a failure that an operator has to mend, such as another secret. */
const OPERATOR_RECOVERY_MS = 60_000

/** Added to the timeout of a message: covers the work between two messages. */
const LEASE_SLACK_MS = 15_000

/**
 * Sends each endpoint of the store the changes it subscribed to, in the order of the feed, until it
 * is closed. Retries failed messages by the schedule of Standard Webhooks. Costs nothing while
 * there is nothing to send. Several processes may deliver from one file: one at a time sends to an
 * endpoint. Keeps the process alive until it is closed.
 *
 * @example
 * await using delivery = deliverWebhooks(store)
 */
export const deliverWebhooks = (
  store: DeliveringStore,
  options: DeliverOptions = {}
): WebhookDelivery => {
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
  /** Endpoints that wait until this time, or until their secret changes. */
  const blocked = new Map<number, { readonly untilMs: number; readonly generation: number }>()
  let isClosed = false
  let closing: Promise<void> | undefined

  /** An error in the host's hook is ignored. */
  const onError = (cause: unknown): void => {
    try {
      options.onError?.(cause)
    } catch {
      // There is no caller left to report it to.
    }
  }

  const endpoint = makeEndpointDelivery({
    engine,
    sender,
    worker,
    timeoutMs,
    random: options.random ?? (() => Buffer.from(engine.randomBytes(4)).readUInt32BE() / 2 ** 32),
    isStopping: () => isClosed,
    semaphore: new Semaphore(concurrency),
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

  const deliver = async (row: WebhookRow): Promise<void> => {
    let isUnchanged = false
    try {
      isUnchanged = !(await endpoint.deliver(row))
    } catch (cause) {
      if (isClosed) return
      const ms = cause instanceof StorageError ? RECOVERY_MS : OPERATOR_RECOVERY_MS
      blocked.set(row.id, { untilMs: engine.nowMs() + ms, generation: row.generation })
      onError(cause)
    } finally {
      running.delete(row.id)
      // A new turn of the event loop: a synchronous storage would otherwise block the process.
      setImmediate(() => void deliverAgain(row.id, isUnchanged ? row : undefined))
    }
  }

  /** Looks at one endpoint alone: there may be a thousand others with nothing new. */
  const deliverAgain = async (id: number, unchanged: WebhookRow | undefined): Promise<void> => {
    if (isClosed) return
    if (!engine.isOpen()) return void close()
    try {
      const row = unchanged ?? (await valueOf(engine.webhooks.one(id)))
      if (row?.state === "enabled" && !isClosed) await beginDue([row])
    } catch (cause) {
      if (isClosed) return
      onError(cause)
      watch.lookAt(engine.nowMs() + RECOVERY_MS)
    }
  }

  /**
   * When the endpoint is due; undefined while it is being delivered to, or has nothing to send.
   */
  const dueAt = (
    row: WebhookRow,
    epoch: string,
    last: number,
    nowMs: number
  ): number | undefined => {
    if (running.has(row.id) || !endpoint.hasWork(row, epoch, last)) return undefined
    const leaseMs = heldByOther(row, worker, nowMs) ? (row.leaseUntilMs ?? 0) : 0
    const block = blocked.get(row.id)
    return Math.max(leaseMs, dueMs(row), block?.generation === row.generation ? block.untilMs : 0)
  }

  /** Resolves with the newest change of the feed. */
  const beginDue = async (rows: ReadonlyArray<WebhookRow>): Promise<number> => {
    const epoch = await valueOf(engine.feed.epoch())
    const last = await valueOf(engine.feed.last())
    if (isClosed) return last
    const nowMs = engine.nowMs()
    for (const row of rows) {
      const atMs = dueAt(row, epoch, last, nowMs)
      if (atMs === undefined) continue
      if (atMs <= nowMs) running.set(row.id, deliver(row))
      else watch.lookAt(atMs)
    }
    return last
  }

  const shutDown = async (): Promise<void> => {
    isClosed = true
    const timer = setTimeout(() => stopping.abort(), closeTimeoutMs)
    await Promise.all([watch.stop(), ...running.values()])
    clearTimeout(timer)
    sender.close()
  }

  const close = () => (closing ??= shutDown())
  const watch = watchEndpoints({ engine, beginDue, onStoreClosed: () => void close(), onError })
  watch.start()
  return { counts: () => counts, close, [Symbol.asyncDispose]: close }
}
