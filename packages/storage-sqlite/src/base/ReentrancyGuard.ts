/** One program at a time on one storage: a program that starts another one would see, or be, a half of it. */
export class ReentrancyGuard {
  #isTaken = false

  take<A>(run: () => A): A {
    if (this.#isTaken) throw new Error("a transaction program can't start another one on the same storage")
    this.#isTaken = true
    try {
      return run()
    } finally {
      this.#isTaken = false
    }
  }
}
