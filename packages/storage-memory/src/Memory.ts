/** All that one store has in memory: its records and its counts of use. */
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

  /** Another memory of the same; from now on the two change apart. Costs the same however much there is. */
  fork(): Memory {
    return new Memory(this.records.fork(), this.usage.fork())
  }

  /** Forgets everything, and has what the other has from now on; the two change apart. */
  adopt(other: Memory): void {
    this.records.adopt(other.records)
    this.usage.adopt(other.usage)
  }
}
