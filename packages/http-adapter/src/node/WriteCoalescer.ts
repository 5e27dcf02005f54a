/**
 * Answers to requests that one turn of the event loop hands over: the first is written at once, the others together when the turn is over.
 * A write that has to wake up its reader costs the server more than all the rest of writing; after the first they are awake.
 */
import { setImmediate } from "../timers.js"

export class WriteCoalescer {
  #isTurn = false
  #isFirstOut = false
  #waiting: Array<() => void> = []

  /** A request has come in. */
  began(): void {
    if (this.#isTurn) return
    this.#isTurn = true
    this.#isFirstOut = false
    setImmediate(this.#end)
  }

  /** Runs what writes an answer: at once, or at the end of the turn. What is ready between turns, as after a commit, does not wait. */
  send(write: () => void): void {
    if (this.#isTurn && this.#isFirstOut) {
      this.#waiting.push(write)
      return
    }
    this.#isFirstOut = true
    write()
  }

  /**
   * Writes what waits, for whoever is about to write to a connection by other means. Where one throws, the others are written by the next turn: a
   * host may go on after an uncaught exception, and their callers wait.
   */
  flush(): void {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    let begun = 0
    try {
      for (const write of waiting) {
        begun++
        write()
      }
    } finally {
      if (begun < waiting.length) {
        this.#waiting = waiting.slice(begun)
        setImmediate(this.#end)
      }
    }
  }

  readonly #end = (): void => {
    this.#isTurn = false
    this.flush()
  }
}
