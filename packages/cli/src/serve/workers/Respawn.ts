/**
 * The delay before a worker that died is replaced: none after a long life, and a growing one when
 * it dies again and again.
 */

const FIRST_MS = 100
const LONGEST_MS = 30_000

/** A worker that lived so long did not die because of its start. */
const SETTLED_MS = 60_000

export class Respawn {
  #pauseMs = 0

  /** The delay after the death of a worker that lived for `livedMs`. */
  pauseMs(livedMs: number): number {
    if (livedMs >= SETTLED_MS) this.#pauseMs = 0
    const pauseMs = this.#pauseMs
    this.#pauseMs = Math.min(LONGEST_MS, pauseMs === 0 ? FIRST_MS : pauseMs * 2)
    return pauseMs
  }
}
