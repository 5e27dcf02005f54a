/** Events as bytes, each encoded once however many read it, and batches of them for readers at the same place. */
import type { Change, ChangeType } from "@petstore/core"
import { eventBytes } from "./eventText.js"

/** Of so many changes the bytes are kept: the newest. Whoever is further behind has its own made. */
const KEPT = 512

/** A batch is closed by the event that brings it to this. */
const MAX_BATCH_BYTES = 65_536

const NOTHING = new Uint8Array(0)

/** Some changes as bytes, empty where none is wanted; `count` of the changes are in it or left out. */
export type Batch = { readonly bytes: Uint8Array; readonly count: number }

export class Frames {
  readonly #epoch: string
  readonly #sequences = new Float64Array(KEPT)
  readonly #frames: Array<Uint8Array | undefined> = []
  /** The last batch that left nothing out: readers that keep up all want the same. */
  #first = 0
  #offered = 0
  #last: Batch = { bytes: NOTHING, count: 0 }

  constructor(epoch: string) {
    this.#epoch = epoch
  }

  /** The bytes of the first changes of a page, as many as make a batch. Undefined types are all. */
  batch(changes: ReadonlyArray<Change>, types: ReadonlySet<ChangeType> | undefined): Batch {
    const first = changes[0]?.sequence ?? 0
    if (types !== undefined) return this.#joined(changes, types)
    if (first === this.#first && changes.length === this.#offered) return this.#last
    this.#last = this.#joined(changes, types)
    this.#first = first
    this.#offered = changes.length
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
    const at = change.sequence % KEPT
    const known = this.#frames[at]
    const keptSequence = this.#sequences[at] ?? 0
    if (known !== undefined && keptSequence === change.sequence) return known
    const frame = eventBytes(this.#epoch, change)
    if (change.sequence > keptSequence) {
      this.#frames[at] = frame
      this.#sequences[at] = change.sequence
    }
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
