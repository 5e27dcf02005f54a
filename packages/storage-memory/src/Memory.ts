/** The whole state of a store in memory: its records and its usage counts. */
import { Interpreter } from "./Interpreter.js"
import { Store } from "./Store.js"
import { UsageBook } from "./UsageBook.js"

export class Memory {
  readonly records: Interpreter
  readonly usage: UsageBook

  constructor(records = new Interpreter(new Store()), usage = new UsageBook()) {
    this.records = records
    this.usage = usage
  }

  /** An independent memory with the same state. Costs the same for any number of records. */
  fork(): Memory {
    return new Memory(this.records.fork(), this.usage.fork())
  }

  /** Replaces the whole state by that of another memory. The two stay independent. */
  adopt(other: Memory): void {
    this.records.adopt(other.records)
    this.usage.adopt(other.usage)
  }
}
