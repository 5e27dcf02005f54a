/**
 * Coalesces the writes of one turn of the event loop: the first answer is written at once, the
 * others when the turn is over. The first write wakes the readers, which is the expensive part of a
 * write.
 */
import { setImmediate } from "../timers.js"

export class WriteCoalescer {
  #isTurn = false
  #isFirstWritten = false
  #pending: Array<() => void> = []

  /** A request has arrived: begins a turn unless there is one. */
  begin(): void {
    if (this.#isTurn) return
    this.#isTurn = true
    this.#isFirstWritten = false
    setImmediate(this.#end)
  }

  /**
   * Runs the write now or at the end of the turn. Between turns, as after a commit, it runs now.
   */
  send(write: () => void): void {
    if (this.#isTurn && this.#isFirstWritten) {
      this.#pending.push(write)
      return
    }
    this.#isFirstWritten = true
    write()
  }

  /**
   * Runs pending writes, before somebody writes to a connection by other means. Where one throws,
   * the rest run in the next turn: a host may survive an uncaught exception, and other callers
   * wait.
   */
  flush(): void {
    const pending = this.#pending
    if (pending.length === 0) return
    this.#pending = []
    let begun = 0
    try {
      for (const write of pending) {
        begun++
        write()
      }
    } finally {
      if (begun < pending.length) {
        this.#pending = pending.slice(begun)
        setImmediate(this.#end)
      }
    }
  }

  readonly #end = (): void => {
    this.#isTurn = false
    this.flush()
  }
}
