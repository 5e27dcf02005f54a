/** The open streams of a service. They share one subscription to the feed and one timer. */
import type { StorageError } from "@petstore/core"
import { type Caller, type Engine, isPromise } from "@petstore/core/adapter"
import { type Refusal, StreamsFull, TooManyStreams } from "../contract/errors.js"
import type { Settings } from "../exchange/Options.js"
import type { EventStream } from "../exchange/EventStream.js"
import { Frames } from "./Frames.js"
import { Reader, type ReaderContext, type Subscription } from "./Reader.js"
import { setImmediate } from "../timers.js"
import { makeTaskQueue } from "./taskQueue.js"

export type Streams = {
  /** Refuses a caller that has too many streams; undefined if one more is allowed. */
  readonly refusalFor: (caller: Caller) => Refusal | undefined
  /** Makes a stream, which counts from when it is opened. */
  readonly streamOf: (subscription: Subscription) => EventStream
  /** Ends every stream with this reason. New ones may be opened. */
  readonly endAll: (reason: string) => void
  readonly count: () => number
}

/** How often streams are checked between two heartbeats. */
const CHECKS_PER_HEARTBEAT = 4

const nameOf = ({ accountId, keyId }: Caller): string => `${accountId} ${keyId ?? ""}`

/** While `isStopping`, streams that are opened end at once. */
export const makeStreams = (
  engine: Engine,
  { events, onError }: Settings,
  isStopping: () => boolean
): Streams => {
  const { feed, authenticator } = engine
  const { heartbeatMs, stallMs, maxStreams, maxStreamsPerAccount } = events
  const tickMs = Math.min(heartbeatMs, stallMs) / CHECKS_PER_HEARTBEAT
  const readers = new Set<Reader>()
  const byAccount = new Map<number, number>()
  let frames: { readonly epoch: string; readonly of: Frames } | undefined
  let stopTimer: (() => void) | undefined
  let isWaking = false
  let recheckedMs = 0

  /** Wakes the readers once for all writes of one turn of the event loop. */
  const wake = (): void => {
    if (isWaking) return
    isWaking = true
    setImmediate(() => {
      isWaking = false
      if (engine.isOpen()) for (const reader of readers) reader.wake()
      else endAll(CLOSED)
    })
  }

  const start = (): void => {
    const unsubscribe = feed.subscribe(wake)
    recheckedMs = engine.nowMs()
    // An open stream does not keep the process alive.
    const unref = true
    let cancel = engine.after(tickMs, tick, { unref })
    function tick(): void {
      cancel = engine.after(tickMs, tick, { unref })
      check()
    }
    stopTimer = () => {
      cancel()
      unsubscribe()
    }
  }

  const check = (): void => {
    if (!engine.isOpen()) return endAll(CLOSED)
    const nowMs = engine.nowMs()
    for (const reader of readers) reader.check(nowMs, tickMs, heartbeatMs, stallMs)
    if (nowMs - recheckedMs < heartbeatMs) return
    recheckedMs = nowMs
    const callers = new Map(
      [...readers].map(({ subscription: { caller } }) => [nameOf(caller), caller])
    )
    for (const caller of callers.values()) recheck(caller, nowMs)
  }

  /** Ends the streams of a caller that is no longer admitted. Ignores failures of the storage. */
  const recheck = (caller: Caller, nowMs: number): void => {
    const settle = (refusal: Refusal | StorageError | undefined): void => {
      if (refusal === undefined || "reason" in refusal) return
      for (const reader of readers)
        if (nameOf(reader.subscription.caller) === nameOf(caller)) reader.end(refusal.code)
    }
    const refusal = authenticator.recheck(caller, nowMs)
    if (isPromise(refusal)) refusal.then(settle, () => undefined)
    else settle(refusal)
  }

  const onClose = (reader: Reader): void => {
    if (!readers.delete(reader)) return
    const { accountId } = reader.subscription.caller
    const others = (byAccount.get(accountId) ?? 1) - 1
    if (others === 0) byAccount.delete(accountId)
    else byAccount.set(accountId, others)
    if (readers.size > 0) return
    stopTimer?.()
    stopTimer = undefined
  }

  const onFailure: ReaderContext["onFailure"] = (cause, { subscription: { requestId } }) => {
    try {
      onError(cause, { requestId, operation: "streamEvents" })
    } catch {
      // There is no caller left to report it to.
    }
  }

  const context: ReaderContext = {
    feed,
    nowMs: engine.nowMs,
    later: makeTaskQueue(),
    onClose,
    onFailure
  }

  const endAll = (reason: string): void => {
    for (const reader of readers) reader.end(reason)
  }

  const framesOf = (epoch: string): Frames => {
    if (frames?.epoch !== epoch) frames = { epoch, of: new Frames(epoch) }
    return frames.of
  }

  return {
    refusalFor: ({ accountId }) => {
      if ((byAccount.get(accountId) ?? 0) >= maxStreamsPerAccount)
        return new TooManyStreams({ maxStreamsPerAccount, retryAfterSeconds: RETRY_AFTER_SECONDS })
      return readers.size >= maxStreams
        ? new StreamsFull({ retryAfterSeconds: RETRY_AFTER_SECONDS })
        : undefined
    },
    streamOf: (subscription) => ({
      open: (sink) => {
        const reader = new Reader(context, framesOf(subscription.epoch), subscription, sink)
        const { accountId } = subscription.caller
        byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + 1)
        readers.add(reader)
        if (stopTimer === undefined) start()
        if (isStopping()) reader.end(STOPPING)
        else reader.wake()
        return reader
      }
    }),
    endAll,
    count: () => readers.size
  }
}

export const STOPPING = "this service is about to stop"

const CLOSED = "the store is closed"

/** An estimate: the end of a stream is unknown. */
const RETRY_AFTER_SECONDS = 10
