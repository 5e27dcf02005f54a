/** The usage records of a store, by the key of the caller. */
import type { UsageRecord } from "@petstore/core/storage"

export class UsageBook {
  #records: Map<string, UsageRecord>
  /** Whether another book may share the map, which is then copied before a change. */
  #isShared: boolean

  constructor(records = new Map<string, UsageRecord>(), isShared = false) {
    this.#records = records
    this.#isShared = isShared
  }

  /** An independent book with the same records. Costs the same for any number of records. */
  fork(): UsageBook {
    this.#isShared = true
    return new UsageBook(this.#records, true)
  }

  /** Replaces all records by those of another book. The two stay independent. */
  adopt(other: UsageBook): void {
    this.#records = other.fork().#records
    this.#isShared = true
  }

  modify<A>(
    key: string,
    decide: (
      current: UsageRecord | undefined
    ) => readonly [result: A, next: UsageRecord | undefined]
  ): A {
    const current = this.#records.get(key)
    const [result, next] = decide(current)
    if (next !== current) this.#store(key, next)
    return result
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
