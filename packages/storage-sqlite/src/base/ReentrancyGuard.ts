/**
 * One program at a time on one connection. A program that starts another one on the same storage
 * would show it half of a transaction.
 */
export class ReentrancyGuard {
  #isRunning = false

  run<A>(run: () => A): A {
    if (this.#isRunning)
      throw new Error("a transaction program can't start another one on the same storage")
    this.#isRunning = true
    try {
      return run()
    } finally {
      this.#isRunning = false
    }
  }
}
