/**
 * Runs the programs of a group in one transaction. A program that refuses or throws is rolled back
 * alone. Most of those have written nothing by then, and a savepoint costs as much as a statement.
 * So a group first runs without savepoints. If a program has writes to roll back, the group runs
 * again with them.
 */
import type { QueuedProgram } from "./Submission.js"
import type { Tables } from "../table/Tables.js"
import type { Transaction } from "./Transaction.js"

/** No program of a group starts later than this, so that the first does not wait long. */
export const MAX_GROUP_MS = 20

/**
 * How many groups run with savepoints at once, after one had to run twice: programs that refuse
 * after a write tend to come in bursts.
 */
const SAVEPOINT_GROUPS = 64

/** `TransactionLost`: SQLite could not write, and has rolled back the transaction. */
type Problem = "NeedsRollback" | "TransactionLost"

export class GroupRun {
  readonly #transaction: Transaction
  readonly #tables: Tables
  readonly #nowMs: () => number
  #savepointGroupsLeft = 0

  constructor(transaction: Transaction, tables: Tables, nowMs: () => number) {
    this.#transaction = transaction
    this.#tables = tables
    this.#nowMs = nowMs
  }

  /**
   * Runs the programs in the open transaction until `MAX_GROUP_MS` are over. Returns those that
   * ran, or undefined if the transaction was lost.
   */
  run(group: ReadonlyArray<QueuedProgram>): ReadonlyArray<QueuedProgram> | undefined {
    if (this.#savepointGroupsLeft > 0) this.#savepointGroupsLeft--
    else {
      const result = this.#runEach(group, this.#runWithoutSavepoint)
      if (typeof result === "object") return result
      if (result === "TransactionLost") return undefined
      this.#savepointGroupsLeft = SAVEPOINT_GROUPS
      if (this.#transaction.begin() !== undefined) return undefined
    }
    const result = this.#runEach(group, this.#runInSavepoint)
    return typeof result === "object" ? result : undefined
  }

  /** Returns the programs that ran, or the first problem. */
  #runEach(
    group: ReadonlyArray<QueuedProgram>,
    run: (program: QueuedProgram) => Problem | undefined
  ): ReadonlyArray<QueuedProgram> | Problem {
    const untilMs = this.#nowMs() + MAX_GROUP_MS
    for (const [at, program] of group.entries()) {
      const problem = run(program)
      if (problem !== undefined) return problem
      if (this.#nowMs() > untilMs) return group.slice(0, at + 1)
    }
    return group
  }

  readonly #runWithoutSavepoint = (program: QueuedProgram): Problem | undefined => {
    const { writes } = this.#tables
    const succeeded = program.run(this.#tables.write)
    if (!this.#transaction.isOpen) return "TransactionLost"
    return succeeded || this.#tables.writes === writes ? undefined : "NeedsRollback"
  }

  readonly #runInSavepoint = (program: QueuedProgram): Problem | undefined =>
    this.#transaction.runInSavepoint(() => program.run(this.#tables.write))
      ? undefined
      : "TransactionLost"
}
