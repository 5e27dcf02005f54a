/** How soon a worker that died is replaced: at once where it had long been at work, and ever later where it dies again and again. */

const FIRST_MS = 100
const LONGEST_MS = 30_000

/** One that lived so long did not die of how it was started. */
const SETTLED_MS = 60_000

export class Respawn {
  #pauseMs = 0

  /** How long to wait before the next one is started, now that one has died that lived so long. */
  pauseMs(livedMs: number): number {
    if (livedMs >= SETTLED_MS) this.#pauseMs = 0
    const pauseMs = this.#pauseMs
    this.#pauseMs = Math.min(LONGEST_MS, pauseMs === 0 ? FIRST_MS : pauseMs * 2)
    return pauseMs
  }
}
