/** Encodes each event once for all readers, and joins events into batches. */
import type { Change, ChangeType } from "@petstore/core"
import { eventBytes } from "./eventText.js"

/** An event that brings a batch to this size is its last. */
const MAX_BATCH_BYTES = 65_536

const NOTHING = new Uint8Array(0)

/** The bytes of the selected ones among the first `count` changes. */
type Batch = { readonly bytes: Uint8Array; readonly count: number }

export class Frames {
  readonly #epoch: string
  /** By change: the feed hands out the same objects while it caches them. */
  readonly #frames = new WeakMap<Change, Uint8Array>()
  /** The last batch of all types, and its changes: readers that keep up all need the same one. */
  #first: Change | undefined
  #final: Change | undefined
  #last: Batch = { bytes: NOTHING, count: 0 }

  constructor(epoch: string) {
    this.#epoch = epoch
  }

  /** The batch at the start of a page. Undefined types select all. */
  batch(changes: ReadonlyArray<Change>, types: ReadonlySet<ChangeType> | undefined): Batch {
    if (types !== undefined) return this.#encode(changes, types)
    const [first, final] = [changes[0], changes.at(-1)]
    if (first !== undefined && first === this.#first && final === this.#final) return this.#last
    this.#last = this.#encode(changes, types)
    this.#first = first
    this.#final = final
    return this.#last
  }

  #encode(changes: ReadonlyArray<Change>, types: ReadonlySet<ChangeType> | undefined): Batch {
    const frames: Array<Uint8Array> = []
    let size = 0
    let count = 0
    for (const change of changes) {
      count++
      if (types !== undefined && !types.has(change.type)) continue
      const frame = this.#frameOf(change)
      frames.push(frame)
      size += frame.byteLength
      if (size >= MAX_BATCH_BYTES) break
    }
    const [only = NOTHING] = frames
    return { bytes: frames.length < 2 ? only : concat(frames, size), count }
  }

  #frameOf(change: Change): Uint8Array {
    const cached = this.#frames.get(change)
    if (cached !== undefined) return cached
    const frame = eventBytes(this.#epoch, change)
    this.#frames.set(change, frame)
    return frame
  }
}

const concat = (frames: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const frame of frames) {
    whole.set(frame, at)
    at += frame.byteLength
  }
  return whole
}
