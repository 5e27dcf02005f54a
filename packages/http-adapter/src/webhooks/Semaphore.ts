/** Limits how many run at once. Waiting ones continue in the order of their requests. */
export class Semaphore {
  #free: number
  readonly #waiters: Array<() => void> = []

  constructor(permits: number) {
    this.#free = permits
  }

  get hasWaiters(): boolean {
    return this.#waiters.length > 0
  }

  /** Resolves with a permit, which is given back by `release`. */
  acquire(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiters.push(resolve))
    this.#free--
    return Promise.resolve()
  }

  release(): void {
    const next = this.#waiters.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
