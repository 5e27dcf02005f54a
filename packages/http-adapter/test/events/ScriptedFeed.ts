/** A feed that says what a test wants it to, to be served in place of a store's own. */
import type { Change, Resync, StorageError } from "@petstore/core"
import type { Feed } from "@petstore/core/adapter"
import { Either } from "effect"

export class ScriptedFeed implements Feed {
  name = "e1"
  /** Changes up to this one are not kept any more. */
  forgotten = 0
  changes: Array<Change> = []
  pages = 0
  failure: StorageError | undefined
  readonly wakes = new Set<() => void>()
  /** Of a storage that does not answer at once. */
  isSlow = false

  /** Adds so many changes of a pet, and wakes the subscribers. */
  add(count: number, name = "Rex"): void {
    for (let n = 0; n < count; n++) {
      const sequence = this.changes.length + 1
      this.changes.push({
        sequence,
        type: "pet.created",
        at: "2026-01-01T00:00:00.000Z",
        recordId: sequence,
        revision: 1,
        record: { id: sequence, name, categoryId: 1, status: "available" } as never,
        accountId: 7,
        requestId: "secret"
      })
    }
    this.tell()
  }

  addChange(change: Change): void {
    this.changes.push(change)
    this.tell()
  }

  tell(): void {
    for (const wake of this.wakes) wake()
  }

  readonly last = () => Either.right(this.changes.length)
  readonly epoch = () => Either.right(this.name)
  readonly generation = () => 0

  readonly page: Feed["page"] = (after, limit) => {
    this.pages++
    const answer = this.#page(after, limit)
    return this.isSlow ? this.#later(answer) : answer
  }

  async #later<A>(answer: A): Promise<A> {
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
    return answer
  }

  #page(after: number, limit: number): Either.Either<ReadonlyArray<Change> | Resync, StorageError> {
    if (this.failure !== undefined) return Either.left(this.failure)
    if (after > this.changes.length || after < this.forgotten)
      return Either.right({ type: "resync", sequence: this.changes.length })
    return Either.right(this.changes.slice(after, after + limit))
  }

  readonly subscribe = (wake: () => void) => {
    const own = () => wake()
    this.wakes.add(own)
    return () => void this.wakes.delete(own)
  }
}
