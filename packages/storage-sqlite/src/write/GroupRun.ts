/**
 * Runs the programs of a group in one transaction. One that refuses, or throws, is rolled back
 * alone. Nearly all of those have written nothing until then. So a group first runs without
 * savepoints, each of which costs as much as a statement; if there is something to roll back, it
 * runs again with them.
 */
import type { Waiting } from "./Submission.js"
import type { Tables } from "../table/Tables.js"
import type { Transaction } from "./Transaction.js"

/** No program of a group starts later than this, so that the first does not wait long. */
export const GROUP_MS = 20

/**
 * After a group that ran twice, so many groups run with savepoints at once: late refusals come in
 * numbers.
 */
const GROUPS_WITH_SAVEPOINTS = 64

/**
 * Something must be rolled back; or SQLite, unable to write, has rolled back the transaction
 * itself.
 */
type Problem = "RollBack" | "Lost"

/** The programs of a group that ran. */
type Run = ReadonlyArray<Waiting> | Problem

export class GroupRun {
  readonly #transaction: Transaction
  readonly #tables: Tables
  readonly #nowMs: () => number
  #groupsWithSavepoints = 0

  constructor(transaction: Transaction, tables: Tables, nowMs: () => number) {
    this.#transaction = transaction
    this.#tables = tables
    this.#nowMs = nowMs
  }

  /**
   * Runs as many of the group as there is time for, in the open transaction. Answers which;
   * undefined if the transaction was lost.
   */
  run(group: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> | undefined {
    if (this.#groupsWithSavepoints > 0) this.#groupsWithSavepoints--
    else {
      const run = this.#each(group, this.#withoutSavepoint)
      if (typeof run === "object") return run
      if (run === "Lost") return undefined
      this.#groupsWithSavepoints = GROUPS_WITH_SAVEPOINTS
      if (this.#transaction.begin() !== undefined) return undefined
    }
    const run = this.#each(group, this.#withSavepoint)
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

  readonly #withoutSavepoint = (waiting: Waiting): Problem | undefined => {
    const { writes } = this.#tables
    const keep = waiting.run(this.#tables.write)
    if (!this.#transaction.isOpen) return "Lost"
    return keep || this.#tables.writes === writes ? undefined : "RollBack"
  }

  readonly #withSavepoint = (waiting: Waiting): "Lost" | undefined =>
    this.#transaction.part(() => waiting.run(this.#tables.write)) ? undefined : "Lost"
}
