/**
 * Allows one program at a time on a connection. A program that is started within another one would
 * see an unfinished transaction.
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
