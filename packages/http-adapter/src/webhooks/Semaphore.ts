/** So many at once, and the others after them, in the order in which they asked. */
export class Semaphore {
  #free: number
  readonly #waiting: Array<() => void> = []

  constructor(count: number) {
    this.#free = count
  }

  /** Whether somebody waits for one. */
  get isWanted(): boolean {
    return this.#waiting.length > 0
  }

  /** Until there is one. Whoever has it gives it back by `leave`. */
  take(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#free--
    return Promise.resolve()
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
