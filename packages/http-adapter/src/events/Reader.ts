/**
 * One reader of the feed. It holds a place and no queue: it asks for changes when there are some and its transport has room, so a reader
 * that takes nothing costs what its transport's buffer holds, however much happens meanwhile.
 */
import type { Caller, Change, ChangeType, Feed, Resync, StorageError } from "@petstore/core"
import * as Either from "effect/Either"
import type { Sink, Writer } from "../exchange/EventStream.js"
import { commentBytes, eventBytes, eventId, HEARTBEAT, openingBytes, placeBytes } from "./eventText.js"
import type { Frames } from "./Frames.js"

/** What all readers of a service share. */
export type Shared = {
  readonly feed: Pick<Feed, "page" | "generation">
  readonly nowMs: () => number
  /** Lets everything else go first, and other readers that asked before, then goes on. */
  readonly later: (run: () => void) => void
  /** The reader is over. */
  readonly left: (reader: Reader) => void
  /** The feed could not be read; who is told, tells no reader. */
  readonly failed: (cause: unknown, reader: Reader) => void
}

/** What a reader is and wants. */
export type Wanted = {
  readonly caller: Caller
  readonly requestId: string
  readonly epoch: string
  /** Of the feed, when it was asked for that epoch and its last change. */
  readonly generation: number
  /** The newest change when the stream was asked for. */
  readonly last: number
  /** After which change to begin; undefined where the caller's place is none of this feed. */
  readonly place: number | undefined
  readonly types: ReadonlySet<ChangeType> | undefined
  readonly retryMs: number
}

/** So many changes are asked for at once; then others have their turn. */
const PAGE_SIZE = 128

type Page = Either.Either<ReadonlyArray<Change> | Resync, StorageError>

export class Reader implements Writer {
  readonly wanted: Wanted
  readonly #shared: Shared
  readonly #frames: Frames
  readonly #sink: Sink
  /** Up to where the changes were written or left out, and which of them the other side knows to be its place. */
  #place: number
  #toldPlace: number
  /** Reads a page, or is about to; whether there may be more than it will find. */
  #isReading = false
  #isAwake = false
  /** Since when there is no room; undefined while there is. */
  #fullSinceMs: number | undefined
  #wroteMs: number
  #isOver = false

  constructor(shared: Shared, frames: Frames, wanted: Wanted, sink: Sink) {
    this.wanted = wanted
    this.#shared = shared
    this.#frames = frames
    this.#sink = sink
    this.#wroteMs = shared.nowMs()
    const { place, last, epoch, retryMs } = wanted
    this.#place = this.#toldPlace = place ?? last
    this.#write(openingBytes(retryMs, place === undefined ? undefined : eventId(epoch, place)))
    if (place === undefined) this.#write(eventBytes(epoch, { type: "resync", sequence: last }))
  }

  /** There may be something new. */
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
    this.#shared.left(this)
  }

  /** Says why, and ends in order; one that takes nothing is given up. */
  end(why: string): void {
    if (this.#isOver) return
    const isFull = this.#fullSinceMs !== undefined
    if (!isFull) this.#write(commentBytes(why))
    this.gone()
    if (isFull) this.#sink.destroy()
    else this.#sink.end()
  }

  /** Shows a sign of life where the next look, `tickMs` from now, would be too late for that; gives up who takes nothing. */
  look(nowMs: number, tickMs: number, heartbeatMs: number, stallMs: number): void {
    if (this.#isOver) return
    if (this.#fullSinceMs !== undefined) {
      if (nowMs - this.#fullSinceMs >= stallMs) this.end("too slow")
      return
    }
    if (nowMs - this.#wroteMs + tickMs <= heartbeatMs) return
    const hasMoved = this.#place > this.#toldPlace
    this.#toldPlace = this.#place
    this.#write(hasMoved ? placeBytes(eventId(this.wanted.epoch, this.#place)) : HEARTBEAT)
  }

  #write(bytes: Uint8Array): void {
    this.#wroteMs = this.#shared.nowMs()
    if (!this.#sink.write(bytes)) this.#fullSinceMs ??= this.#wroteMs
  }

  /** Never at once after something was written: a socket that takes all it is given tells of room in the very same turn. */
  #readLater(): void {
    this.#isReading = true
    this.#shared.later(() => this.#read())
  }

  #read(): void {
    this.#isReading = true
    this.#isAwake = false
    if (this.#isOver || this.#isOutdated()) return
    const page = this.#shared.feed.page(this.#place, PAGE_SIZE)
    if (page instanceof Promise) page.then(this.#settle, (cause: unknown) => this.#fail(cause))
    else this.#goOn(page)
  }

  /** A page that was waited for. */
  readonly #settle = (page: Page): void => {
    if (!this.#isOutdated()) this.#goOn(page)
  }

  #goOn(page: Page): void {
    if (this.#take(page)) this.#readLater()
    else this.#isReading = false
  }

  /** Ends where other records are in the store: the ids of this stream are of another feed, and its reader comes back to a resync. */
  #isOutdated(): boolean {
    if (this.#shared.feed.generation() === this.wanted.generation) return false
    this.end("other records were put in place of those in the store")
    return true
  }

  #fail(cause: unknown): void {
    this.#shared.failed(cause, this)
    this.end("this stream has failed")
  }

  /** Writes what is wanted of a page; whether there may be more, and there is room. */
  #take(page: Page): boolean {
    if (this.#isOver) return false
    if (Either.isLeft(page)) {
      this.#fail(page.left)
      return false
    }
    const found = page.right
    if ("type" in found) {
      this.#place = this.#toldPlace = found.sequence
      this.#write(eventBytes(this.wanted.epoch, found))
      return this.#fullSinceMs === undefined
    }
    for (let from = 0; from < found.length; ) {
      const rest = from === 0 ? found : found.slice(from)
      const { bytes, count } = this.#frames.batch(rest, this.wanted.types)
      from += count
      this.#place = found[from - 1]?.sequence ?? this.#place
      if (bytes.byteLength === 0) continue
      this.#toldPlace = this.#place
      this.#write(bytes)
      if (this.#fullSinceMs !== undefined) return false
    }
    return found.length === PAGE_SIZE || this.#isAwake
  }
}
