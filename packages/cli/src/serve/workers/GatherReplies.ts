/** Answers of several workers to one question, by those that answer in time. */

/** A worker that is busy for longer than this is left out. */
const PATIENCE_MS = 1_000

type Open = {
  readonly texts: Map<number, string>
  readonly awaited: Set<number>
  readonly done: () => void
}

export class GatherReplies {
  #last = 0
  readonly #open = new Map<number, Open>()

  /** Asks each of them, by its number, and answers with what they said. */
  ask(
    workers: ReadonlyArray<number>,
    put: (worker: number, request: number) => void
  ): Promise<ReadonlyMap<number, string>> {
    const request = ++this.#last
    return new Promise((resolve) => {
      const texts = new Map<number, string>()
      const finish = () => {
        clearTimeout(timer)
        this.#open.delete(request)
        resolve(new Map([...texts].toSorted(([left], [right]) => left - right)))
      }
      const timer = setTimeout(finish, PATIENCE_MS)
      this.#open.set(request, { texts, awaited: new Set(workers), done: finish })
      for (const worker of workers) put(worker, request)
      if (workers.length === 0) finish()
    })
  }

  answered(worker: number, request: number, text: string): void {
    const open = this.#open.get(request)
    if (open === undefined) return
    open.texts.set(worker, text)
    this.#settle(open, worker)
  }

  /** It is gone, and answers nothing any more. */
  gone(worker: number): void {
    for (const open of this.#open.values()) this.#settle(open, worker)
  }

  #settle({ awaited, done }: Open, worker: number): void {
    awaited.delete(worker)
    if (awaited.size === 0) done()
  }
}
