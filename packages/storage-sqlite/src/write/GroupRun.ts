/**
 * Runs the programs of a group in one transaction. One that refuses, or throws, is rolled back alone.
 * Nearly all of those have written nothing until then. So a group first runs without savepoints, each
 * of which costs as much as a statement; if there is something to roll back, it runs again with them.
 */
import type { Waiting } from "./Submission.js"
import type { Tables } from "../table/Tables.js"
import type { Transaction } from "./Transaction.js"

/** None is begun later than this, so that the first does not wait long. */
export const GROUP_MS = 20

/** After one that had to be run anew, so many groups are run with savepoints at once: what refuses so late often comes in numbers. */
const CAREFUL_GROUPS = 64

/** There is something to undo, or SQLite, out of room or unable to write, has undone everything. */
type Problem = "ToUndo" | "Lost"

/** As many of a group as were run. */
type Run = ReadonlyArray<Waiting> | Problem

export class GroupRun {
  readonly #transaction: Transaction
  readonly #tables: Tables
  readonly #nowMs: () => number
  #carefulGroups = 0

  constructor(transaction: Transaction, tables: Tables, nowMs: () => number) {
    this.#transaction = transaction
    this.#tables = tables
    this.#nowMs = nowMs
  }

  /** In the transaction that is open: as many of the group as there is time for. Answers which; undefined where the transaction was lost. */
  run(group: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> | undefined {
    if (this.#carefulGroups > 0) this.#carefulGroups--
    else {
      const run = this.#each(group, this.#plainly)
      if (typeof run === "object") return run
      if (run === "Lost") return undefined
      this.#carefulGroups = CAREFUL_GROUPS
      if (this.#transaction.begin() !== undefined) return undefined
    }
    const run = this.#each(group, this.#carefully)
    return typeof run === "object" ? run : undefined
  }

  #each(group: ReadonlyArray<Waiting>, run: (waiting: Waiting) => Problem | undefined): Run {
    const untilMs = this.#nowMs() + GROUP_MS
    for (const [at, waiting] of group.entries()) {
      const problem = run(waiting)
      if (problem !== undefined) return problem
      if (this.#nowMs() > untilMs) return group.slice(0, at + 1)
    }
    return group
  }

  readonly #plainly = (waiting: Waiting): Problem | undefined => {
    const { writes } = this.#tables
    const keep = waiting.run(this.#tables.write)
    if (!this.#transaction.isOpen) return "Lost"
    return keep || this.#tables.writes === writes ? undefined : "ToUndo"
  }

  readonly #carefully = (waiting: Waiting): "Lost" | undefined =>
    this.#transaction.part(() => waiting.run(this.#tables.write)) ? undefined : "Lost"
}
