/** Collects the replies of several workers to one request, without those that come too late. */

/** A worker that does not reply in time is left out. */
const TIMEOUT_MS = 1_000

type Pending = {
  readonly texts: Map<number, string>
  readonly missing: Set<number>
  readonly done: () => void
}

export class GatherReplies {
  #last = 0
  readonly #pending = new Map<number, Pending>()

  /** Sends a request to each worker. Resolves with the replies by the numbers of the workers. */
  ask(
    workers: ReadonlyArray<number>,
    send: (worker: number, request: number) => void
  ): Promise<ReadonlyMap<number, string>> {
    const request = ++this.#last
    return new Promise((resolve) => {
      const texts = new Map<number, string>()
      const finish = () => {
        clearTimeout(timer)
        this.#pending.delete(request)
        resolve(new Map([...texts].toSorted(([left], [right]) => left - right)))
      }
      const timer = setTimeout(finish, TIMEOUT_MS)
      this.#pending.set(request, { texts, missing: new Set(workers), done: finish })
      for (const worker of workers) send(worker, request)
      if (workers.length === 0) finish()
    })
  }

  reply(worker: number, request: number, text: string): void {
    const pending = this.#pending.get(request)
    if (pending === undefined) return
    pending.texts.set(worker, text)
    this.#settle(pending, worker)
  }

  /** The worker has ended and will not reply. */
  gone(worker: number): void {
    for (const pending of this.#pending.values()) this.#settle(pending, worker)
  }

  #settle({ missing, done }: Pending, worker: number): void {
    missing.delete(worker)
    if (missing.size === 0) done()
  }
}
