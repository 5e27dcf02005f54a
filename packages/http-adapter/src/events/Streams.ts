/** The open streams of a service: they share one subscription to the feed and one timer, and are bounded in number. */
import type { Caller, Engine, StorageError } from "@petstore/core"
import { type Refusal, StreamsFull, TooManyStreams } from "../contract/errors.js"
import type { Settings } from "../exchange/Options.js"
import type { EventStream } from "../exchange/EventStream.js"
import { Frames } from "./Frames.js"
import { Reader, type Shared, type Wanted } from "./Reader.js"
import { setImmediate } from "../timers.js"
import { makeTaskQueue } from "./taskQueue.js"

export type Streams = {
  /** Why this caller can't have one more; undefined where it can. */
  readonly refusalFor: (caller: Caller) => Refusal | undefined
  /** One more, which counts from when it is opened. */
  readonly streamOf: (wanted: Wanted) => EventStream
  /** Ends every stream, saying why; new ones may come. */
  readonly endAll: (why: string) => void
  /** How many there are. */
  readonly count: () => number
}

/** So many times between two signs of life everything is looked at. */
const LOOKS_PER_HEARTBEAT = 4

const nameOf = ({ accountId, keyId }: Caller): string => `${accountId} ${keyId ?? ""}`

/** `isStopping` says whether whatever is opened is to end at once. */
export const makeStreams = (
  engine: Engine,
  { events, onError }: Settings,
  isStopping: () => boolean
): Streams => {
  const { feed, gate } = engine
  const { heartbeatMs, stallMs, maxStreams, maxStreamsPerAccount } = events
  const tickMs = Math.min(heartbeatMs, stallMs) / LOOKS_PER_HEARTBEAT
  const readers = new Set<Reader>()
  const byAccount = new Map<number, number>()
  let frames: { readonly epoch: string; readonly of: Frames } | undefined
  let stop: (() => void) | undefined
  let isWaking = false
  let recheckedMs = 0

  /** Writes of one turn wake everyone once. */
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
    // A stream of a handler is no reason for its process to go on.
    const unref = true
    let cancel = engine.after(tickMs, tick, { unref })
    function tick(): void {
      cancel = engine.after(tickMs, tick, { unref })
      look()
    }
    stop = () => {
      cancel()
      unsubscribe()
    }
  }

  const look = (): void => {
    if (!engine.isOpen()) return endAll(CLOSED)
    const nowMs = engine.nowMs()
    for (const reader of readers) reader.look(nowMs, tickMs, heartbeatMs, stallMs)
    if (nowMs - recheckedMs < heartbeatMs) return
    recheckedMs = nowMs
    const callers = new Map([...readers].map(({ wanted: { caller } }) => [nameOf(caller), caller]))
    for (const caller of callers.values()) recheck(caller, nowMs)
  }

  /** A storage that can't answer is asked again the next time: it says nothing about the caller. */
  const recheck = (caller: Caller, nowMs: number): void => {
    const settle = (refusal: Refusal | StorageError | undefined): void => {
      if (refusal === undefined || "reason" in refusal) return
      for (const reader of readers)
        if (nameOf(reader.wanted.caller) === nameOf(caller)) reader.end(refusal.code)
    }
    const refusal = gate.recheck(caller, nowMs)
    if (refusal instanceof Promise) refusal.then(settle, () => undefined)
    else settle(refusal)
  }

  const left = (reader: Reader): void => {
    if (!readers.delete(reader)) return
    const { accountId } = reader.wanted.caller
    const others = (byAccount.get(accountId) ?? 1) - 1
    if (others === 0) byAccount.delete(accountId)
    else byAccount.set(accountId, others)
    if (readers.size > 0) return
    stop?.()
    stop = undefined
  }

  const failed: Shared["failed"] = (cause, { wanted: { requestId } }) => {
    try {
      onError(cause, { requestId, operation: "streamEvents" })
    } catch {
      // Nobody is left to tell.
    }
  }

  const shared: Shared = { feed, nowMs: engine.nowMs, later: makeTaskQueue(), left, failed }

  const endAll = (why: string): void => {
    for (const reader of readers) reader.end(why)
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
    streamOf: (wanted) => ({
      open: (sink) => {
        const reader = new Reader(shared, framesOf(wanted.epoch), wanted, sink)
        const { accountId } = wanted.caller
        byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + 1)
        readers.add(reader)
        if (stop === undefined) start()
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

/** Nobody knows when a stream ends. */
const RETRY_AFTER_SECONDS = 10
