/** Events as bytes, each encoded once however many read it, and batches of them for readers at the same place. */
import type { Change, ChangeType } from "@petstore/core"
import { eventBytes } from "./eventText.js"

/** A batch is closed by the event that brings it to this. */
const MAX_BATCH_BYTES = 65_536

const NOTHING = new Uint8Array(0)

/** Some changes as bytes, empty where none is wanted; `count` of the changes are in it or left out. */
export type Batch = { readonly bytes: Uint8Array; readonly count: number }

export class Frames {
  readonly #epoch: string
  /** Of changes that the feed still holds itself: it hands out the same ones again and again. */
  readonly #frames = new WeakMap<Change, Uint8Array>()
  /** The last batch that left nothing out, and of what: readers that keep up all want the same. */
  #first: Change | undefined
  #final: Change | undefined
  #last: Batch = { bytes: NOTHING, count: 0 }

  constructor(epoch: string) {
    this.#epoch = epoch
  }

  /** The bytes of the first changes of a page, as many as make a batch. Undefined types are all. */
  batch(changes: ReadonlyArray<Change>, types: ReadonlySet<ChangeType> | undefined): Batch {
    if (types !== undefined) return this.#joined(changes, types)
    const [first, final] = [changes[0], changes.at(-1)]
    if (first !== undefined && first === this.#first && final === this.#final) return this.#last
    this.#last = this.#joined(changes, types)
    this.#first = first
    this.#final = final
    return this.#last
  }

  #joined(changes: ReadonlyArray<Change>, types: ReadonlySet<ChangeType> | undefined): Batch {
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
    const known = this.#frames.get(change)
    if (known !== undefined) return known
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
