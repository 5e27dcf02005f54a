/** Runs reading programs. Nothing else runs meanwhile, and no writing program is ever half done when one starts. */
import { drive, type ReadProgram, type Refuse, type Request, type StorageError } from "@petstore/core"
import type { Database, Statement } from "better-sqlite3"
import { Either } from "effect"
import { failureOrThrow } from "./sqliteFailure.js"
import type { Tables } from "./Tables.js"
import type { Turn } from "./Turn.js"

const again: unique symbol = Symbol("again")

export class Reader {
  readonly #file: Database
  readonly #tables: Tables
  readonly #turn: Turn
  readonly #begin: Statement
  readonly #end: Statement
  readonly #abandon: Statement

  constructor(file: Database, tables: Tables, turn: Turn) {
    this.#file = file
    this.#tables = tables
    this.#turn = turn
    this.#begin = file.prepare("BEGIN")
    this.#end = file.prepare("COMMIT")
    this.#abandon = file.prepare("ROLLBACK")
  }

  /**
   * A program that gets one row needs no transaction, since one statement sees one state. When it turns out to ask for more
   * it is started again in a transaction, which costs a get; a program that lists is in one from the start.
   */
  run<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E | StorageError> {
    return this.#turn.take(() => {
      try {
        const answered = this.#single(program())
        return answered === again ? this.#inTransaction(program) : answered
      } catch (thrown) {
        return Either.left(failureOrThrow(thrown, `read ${this.#file.name}`))
      }
    })
  }

  #single<A, E>(steps: Iterator<Request | Refuse<E>, A, unknown>): Either.Either<A, E> | typeof again {
    let step = steps.next()
    if (step.done !== true && step.value.op === "get") step = steps.next(this.#tables.read(step.value))
    if (step.done === true) return Either.right(step.value)
    const request = step.value
    steps.return?.()
    return request.op === "refuse" ? Either.left(request.error) : again
  }

  #inTransaction<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E> {
    this.#begin.run()
    try {
      return drive<A, E>(program(), this.#tables.read)
    } finally {
      this.#endTransaction()
    }
  }

  /** Whatever happens, the state that was read is let go of: holding on to it would keep the log from being cut back. */
  #endTransaction(): void {
    try {
      if (this.#file.inTransaction) this.#end.run()
    } finally {
      if (this.#file.inTransaction) this.#abandon.run()
    }
  }
}
