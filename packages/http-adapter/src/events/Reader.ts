/**
 * One reader of the feed. It keeps a position and no queue: it reads changes when there are some
 * and its transport can take them. A reader that takes nothing costs no more than the transport's
 * buffer.
 */
import type { Change, ChangeType, Resync, StorageError } from "@petstore/core"
import { type Caller, type Feed, isPromise } from "@petstore/core/adapter"
import * as Either from "effect/Either"
import type { Sink, Writer } from "../exchange/EventStream.js"
import {
  commentBytes,
  eventBytes,
  eventId,
  HEARTBEAT,
  openingBytes,
  positionBytes
} from "./eventText.js"
import type { Frames } from "./Frames.js"

/** Shared by all readers of a service. */
export type ReaderContext = {
  readonly feed: Pick<Feed, "page" | "generation">
  readonly nowMs: () => number
  /** Runs a task in a later turn of the event loop, after those that were queued before. */
  readonly later: (task: () => void) => void
  readonly onClose: (reader: Reader) => void
  /** The feed could not be read. The reader does not learn why. */
  readonly onFailure: (cause: unknown, reader: Reader) => void
}

/** The changes that a reader gets, and its start. */
export type Subscription = {
  readonly caller: Caller
  readonly requestId: string
  readonly epoch: string
  /** The feed's generation when its epoch and its last change were read. */
  readonly generation: number
  /** The newest change when the stream was requested. */
  readonly last: number
  /** The sequence to begin after; undefined where the requested position is not in this feed. */
  readonly start: number | undefined
  readonly types: ReadonlySet<ChangeType> | undefined
  readonly retryMs: number
}

/** The most changes that are read before other readers have their turn. */
const PAGE_SIZE = 128

type Page = Either.Either<ReadonlyArray<Change> | Resync, StorageError>

export class Reader implements Writer {
  readonly subscription: Subscription
  readonly #context: ReaderContext
  readonly #frames: Frames
  readonly #sink: Sink
  /** Changes up to here were written or left out. */
  #position: number
  /** The last position whose id was written. */
  #writtenPosition: number
  /** Whether a page is being read, or is about to be. */
  #isReading = false
  /** Whether there may be more changes than that page has. */
  #isAwake = false
  /** Since when the transport takes nothing; undefined while it does. */
  #fullSinceMs: number | undefined
  #wroteMs: number
  #isOver = false

  constructor(context: ReaderContext, frames: Frames, subscription: Subscription, sink: Sink) {
    this.subscription = subscription
    this.#context = context
    this.#frames = frames
    this.#sink = sink
    this.#wroteMs = context.nowMs()
    const { start, last, epoch, retryMs } = subscription
    this.#position = this.#writtenPosition = start ?? last
    this.#write(openingBytes(retryMs, start === undefined ? undefined : eventId(epoch, start)))
    if (start === undefined) this.#write(eventBytes(epoch, { type: "resync", sequence: last }))
  }

  /** There may be new changes. */
  wake(): void {
    if (this.#isOver || this.#fullSinceMs !== undefined) return
    if (this.#isReading) this.#isAwake = true
    else this.#read()
  }

  drained(): void {
    if (this.#fullSinceMs === undefined) return
    this.#fullSinceMs = undefined
    if (this.#isReading) this.#isAwake = true
    else if (!this.#isOver) this.#readLater()
  }

  gone(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#context.onClose(this)
  }

  /** Ends the stream with the reason as a comment. Drops a reader that takes nothing. */
  end(reason: string): void {
    if (this.#isOver) return
    const isFull = this.#fullSinceMs !== undefined
    if (!isFull) this.#write(commentBytes(reason))
    this.gone()
    if (isFull) this.#sink.destroy()
    else this.#sink.end()
  }

  /**
   * Writes a heartbeat if the next check, `tickMs` from now, would be too late for it. Drops a
   * reader that took nothing for `stallMs`.
   */
  check(nowMs: number, tickMs: number, heartbeatMs: number, stallMs: number): void {
    if (this.#isOver) return
    if (this.#fullSinceMs !== undefined) {
      if (nowMs - this.#fullSinceMs >= stallMs) this.end("too slow")
      return
    }
    if (nowMs - this.#wroteMs + tickMs <= heartbeatMs) return
    const hasMoved = this.#position > this.#writtenPosition
    this.#writtenPosition = this.#position
    const { epoch } = this.subscription
    this.#write(hasMoved ? positionBytes(eventId(epoch, this.#position)) : HEARTBEAT)
  }

  #write(bytes: Uint8Array): void {
    this.#wroteMs = this.#context.nowMs()
    if (!this.#sink.write(bytes)) this.#fullSinceMs ??= this.#wroteMs
  }

  /** Not in this turn: a socket that takes everything drains in the turn of the write. */
  #readLater(): void {
    this.#isReading = true
    this.#context.later(() => this.#read())
  }

  #read(): void {
    this.#isReading = true
    this.#isAwake = false
    if (this.#isOver || this.#isOutdated()) return
    const page = this.#context.feed.page(this.#position, PAGE_SIZE)
    if (isPromise(page)) page.then(this.#onPage, (cause: unknown) => this.#fail(cause))
    else this.#continue(page)
  }

  readonly #onPage = (page: Page): void => {
    if (!this.#isOutdated()) this.#continue(page)
  }

  #continue(page: Page): void {
    if (this.#writePage(page)) this.#readLater()
    else this.#isReading = false
  }

  /** Ends the stream after a restore: its ids belong to another feed. The reader gets a resync. */
  #isOutdated(): boolean {
    if (this.#context.feed.generation() === this.subscription.generation) return false
    this.end("other records were put in place of those in the store")
    return true
  }

  #fail(cause: unknown): void {
    this.#context.onFailure(cause, this)
    this.end("this stream has failed")
  }

  /** Returns whether there may be more changes and the transport can take them. */
  #writePage(result: Page): boolean {
    if (this.#isOver) return false
    if (Either.isLeft(result)) {
      this.#fail(result.left)
      return false
    }
    const page = result.right
    if ("type" in page) {
      this.#position = this.#writtenPosition = page.sequence
      this.#write(eventBytes(this.subscription.epoch, page))
      return this.#fullSinceMs === undefined
    }
    for (let from = 0; from < page.length;) {
      const rest = from === 0 ? page : page.slice(from)
      const { bytes, count } = this.#frames.batch(rest, this.subscription.types)
      from += count
      this.#position = page[from - 1]?.sequence ?? this.#position
      if (bytes.byteLength === 0) continue
      this.#writtenPosition = this.#position
      this.#write(bytes)
      if (this.#fullSinceMs !== undefined) return false
    }
    return page.length === PAGE_SIZE || this.#isAwake
  }
}
