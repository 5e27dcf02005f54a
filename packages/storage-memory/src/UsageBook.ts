/** The usage records of one store, by the key of their caller. */
import type { UsageRecord } from "@petstore/core"

export class UsageBook {
  readonly #records = new Map<string, UsageRecord>()

  modify<A>(
    key: string,
    decide: (current: UsageRecord | undefined) => readonly [answer: A, next: UsageRecord | undefined]
  ): A {
    const current = this.#records.get(key)
    const [answer, next] = decide(current)
    if (next === undefined) this.#records.delete(key)
    else if (next !== current) this.#records.set(key, frozen(next))
    return answer
  }
}

const frozen = (record: UsageRecord): UsageRecord =>
  Object.freeze({ ...record, strikesMs: Object.freeze([...record.strikesMs]) })
