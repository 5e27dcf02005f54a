/** The usage records of one store, by the key of their caller. */
import type { UsageRecord } from "@petstore/core"

export class UsageBook {
  #records: Map<string, UsageRecord>
  /** Whether another book may have the same map: then it is copied before it is changed. */
  #isShared: boolean

  constructor(records = new Map<string, UsageRecord>(), isShared = false) {
    this.#records = records
    this.#isShared = isShared
  }

  /** A book with the same records; from now on the two change apart. Costs the same however many there are. */
  fork(): UsageBook {
    this.#isShared = true
    return new UsageBook(this.#records, true)
  }

  /** Forgets its records, and has those of the other from now on; the two change apart. */
  adopt(other: UsageBook): void {
    this.#records = other.fork().#records
    this.#isShared = true
  }

  modify<A>(
    key: string,
    decide: (current: UsageRecord | undefined) => readonly [answer: A, next: UsageRecord | undefined]
  ): A {
    const current = this.#records.get(key)
    const [answer, next] = decide(current)
    if (next !== current) this.#store(key, next)
    return answer
  }

  #store(key: string, next: UsageRecord | undefined): void {
    if (this.#isShared) this.#records = new Map(this.#records)
    this.#isShared = false
    if (next === undefined) this.#records.delete(key)
    else this.#records.set(key, frozen(next))
  }
}

const frozen = (record: UsageRecord): UsageRecord =>
  Object.freeze({ ...record, strikesMs: Object.freeze([...record.strikesMs]) })
