/** When a writer tries again: how it waits for the lock, and how it leaves it to others. */

/** The lock is tried for about every two milliseconds: a try costs microseconds, and others may leave only short gaps. */
const PAUSES_MS = [1, 2, 3]

/** A process that has always more to write leaves the lock alone now and then, for longer than the others' pauses. */
const HOLD_MS = 100
const GAP_MS = 4

export class LockBackoff {
  #tries = 0
  #holdsSinceMs: number | undefined

  /** The lock was had. */
  had(nowMs: number): void {
    this.#tries = 0
    this.#holdsSinceMs ??= nowMs
  }

  /** The lock was not to be had. */
  missed(): void {
    this.#tries++
    this.#holdsSinceMs = undefined
  }

  /** Nothing waits for it. */
  rest(): void {
    this.#holdsSinceMs = undefined
  }

  /** How long to leave it alone now. */
  pauseMs(nowMs: number): number {
    if (this.#tries > 0) return PAUSES_MS[this.#tries % PAUSES_MS.length] ?? 1
    if (this.#holdsSinceMs === undefined || nowMs - this.#holdsSinceMs < HOLD_MS) return 0
    this.#holdsSinceMs = undefined
    return GAP_MS
  }
}
