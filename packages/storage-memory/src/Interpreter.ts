/**
 * Runs transaction programs on a store. Each runs to its end before the next one starts, which
 * isolates them. If a program refuses or throws, its writes are undone in reverse.
 */
import {
  type Collection,
  drive,
  isWrite,
  type Program,
  type ReadProgram,
  type Request,
  type Row
} from "@petstore/core/storage"
import * as Either from "effect/Either"
import type { Store } from "./Store.js"
import { UndoLog } from "./UndoLog.js"

/** More writes than a store ever sees, so that two stores never have the same data version. */
const VERSIONS_PER_STORE = 2 ** 40

export class Interpreter {
  #store: Store
  #isRunning = false
  readonly #undo = new UndoLog()
  /** Grows when all rows are replaced by those of another store. */
  #firstVersion = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** An independent interpreter on the same rows. */
  fork(): Interpreter {
    return new Interpreter(this.#store.fork())
  }

  /** Replaces all rows by those of another interpreter. The two stay independent. */
  adopt(other: Interpreter): void {
    this.#exclusively(() => {
      this.#store = other.#store.fork()
      this.#firstVersion += VERSIONS_PER_STORE
    })
  }

  read<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E> {
    return this.#exclusively(() => drive<A, E>(program(), this.#read))
  }

  write<A, E>(program: () => Program<A, E>): Either.Either<A, E> {
    return this.#exclusively(() => {
      try {
        const outcome = drive<A, E>(program(), this.#write)
        if (Either.isLeft(outcome)) this.#undo.rollBack()
        return outcome
      } catch (defect) {
        this.#undo.rollBack()
        throw defect
      } finally {
        this.#undo.clear()
      }
    })
  }

  /**
   * A program that starts another one on its own store breaks their isolation: that is a defect.
   */
  #exclusively<A>(run: () => A): A {
    if (this.#isRunning)
      throw new Error("a transaction program can't start another one on the same storage")
    this.#isRunning = true
    try {
      return run()
    } finally {
      this.#isRunning = false
    }
  }

  readonly #read = (request: Request): unknown => {
    const table = this.#store.table(request.collection)
    if (request.op === "get") return table.get(request.id)
    if (request.op === "scan") return table.scan(request)
    if (request.op === "count") return table.count(request)
    throw new Error(`a program that was run by read can't ${request.op}`)
  }

  readonly #write = (request: Request): unknown => {
    if (!isWrite(request)) return this.#read(request)
    const { op } = request
    const table = this.#store.table(request.collection)
    table.changes++
    if (op === "insert") {
      const id = table.insert(request.row)
      this.#undo.add(table, id)
      return request.returning === false ? id : table.get(id)
    }
    if (op === "put") {
      this.#undo.add(table, table.put(request.row))
      return table.get(request.row.id)
    }
    if (op === "remove") this.#undo.add(table, table.remove(request.id))
    else this.#undo.addDeletion(table, table.deleteBelow(request.below))
    return undefined
  }

  /** Undone writes count as well. That is harmless: no reader sees a state between them. */
  dataVersion(collections: ReadonlyArray<Collection<Row>>): number {
    let changes = this.#firstVersion
    for (const collection of collections) changes += this.#store.table(collection).changes
    return changes
  }
}
