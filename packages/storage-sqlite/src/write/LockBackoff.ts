/** Decides when a writer tries to take the write lock, and when it leaves it to other processes. */

/** Short, since a try costs microseconds and other processes may release the lock only briefly. */
const PAUSES_MS = [1, 2, 3]

/**
 * A process that always has more to write releases the lock for `GAP_MS` after each `HOLD_MS`. The
 * gap is longer than the pauses of the other processes.
 */
const HOLD_MS = 100
const GAP_MS = 4

export class LockBackoff {
  #tries = 0
  #busySinceMs: number | undefined

  acquired(nowMs: number): void {
    this.#tries = 0
    this.#busySinceMs ??= nowMs
  }

  failed(): void {
    this.#tries++
    this.#busySinceMs = undefined
  }

  /** To be called when the queue is empty. */
  idle(): void {
    this.#busySinceMs = undefined
  }

  /** How long to wait before the next try. */
  pauseMs(nowMs: number): number {
    if (this.#tries > 0) return PAUSES_MS[this.#tries % PAUSES_MS.length] ?? 1
    if (this.#busySinceMs === undefined || nowMs - this.#busySinceMs < HOLD_MS) return 0
    this.#busySinceMs = undefined
    return GAP_MS
  }
}
