/** When a writer tries for the write lock, and when it leaves the lock to other processes. */

/** A try costs microseconds, and other processes may leave only short gaps. */
const PAUSES_MS = [1, 2, 3]

/**
 * A process that always has more to write leaves the lock alone for `GAP_MS` after each `HOLD_MS`,
 * which is longer than the pauses of the others.
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

  /** Nothing is left to write. */
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
