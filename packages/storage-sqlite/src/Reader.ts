/** Runs reading programs on a connection of its own, so that a read waits for no write. */
import { drive, type ReadProgram, type Refuse, type Request, type StorageError } from "@petstore/core"
import type { Database, Statement } from "better-sqlite3"
import { Either } from "effect"
import { failureOf } from "./sqliteFailure.js"
import { Tables } from "./Tables.js"
import type { Turn } from "./Turn.js"

const again: unique symbol = Symbol("again")

export class Reader {
  readonly #tables: Tables
  readonly #begin: Statement
  readonly #end: Statement
  readonly #turn: Turn

  constructor(file: Database, turn: Turn) {
    this.#turn = turn
    this.#tables = new Tables(file)
    this.#begin = file.prepare("BEGIN")
    this.#end = file.prepare("COMMIT")
  }

  /**
   * A program of one request needs no transaction, since one statement sees one state. When a program turns out to have a
   * second one it is started again in a transaction.
   */
  run<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E | StorageError> {
    return this.#turn.take(() => {
      try {
        const answered = this.#single(program())
        return answered === again ? this.#inTransaction(program) : answered
      } catch (thrown) {
        const failure = failureOf(thrown, "read")
        if (failure === undefined) throw thrown
        return Either.left(failure)
      }
    })
  }

  #single<A, E>(steps: Iterator<Request | Refuse<E>, A, unknown>): Either.Either<A, E> | typeof again {
    let asked = false
    try {
      return drive<A, E>(steps, (request) => {
        if (asked) throw again
        asked = true
        return this.#tables.read(request)
      })
    } catch (thrown) {
      if (thrown !== again) throw thrown
      steps.return?.()
      return again
    }
  }

  #inTransaction<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E> {
    this.#begin.run()
    try {
      return drive<A, E>(program(), this.#tables.read)
    } finally {
      this.#end.run()
    }
  }
}
