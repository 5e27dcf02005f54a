/**
 * Runs transaction programs over a store, one at a time and to their end, so that none sees another's half. What a
 * program writes is undone in reverse when it refuses or throws.
 */
import {
  type Collection,
  drive,
  isWrite,
  type Program,
  type ReadProgram,
  type Request,
  type Row
} from "@petstore/core"
import * as Either from "effect/Either"
import type { Store } from "./Store.js"
import { UndoLog } from "./UndoLog.js"

/** More changes than one store sees, so that editions of two stores never meet. */
const EDITIONS_OF_A_STORE = 2 ** 40

export class Interpreter {
  #store: Store
  #isRunning = false
  readonly #undo = new UndoLog()
  /** Grows when other rows are put in place of all there were. */
  #firstEdition = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** An interpreter of the same rows; from now on the two change apart. */
  fork(): Interpreter {
    return new Interpreter(this.#store.fork())
  }

  /** Forgets its rows, and has those of the other from now on; the two change apart. */
  adopt(other: Interpreter): void {
    this.#alone(() => {
      this.#store = other.#store.fork()
      this.#firstEdition += EDITIONS_OF_A_STORE
    })
  }

  read<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E> {
    return this.#alone(() => drive<A, E>(program(), this.#read))
  }

  write<A, E>(program: () => Program<A, E>): Either.Either<A, E> {
    return this.#alone(() => {
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

  /** A program that starts another one on its own store would see, or be, a half of it: that is a defect. */
  #alone<A>(run: () => A): A {
    if (this.#isRunning) throw new Error("a transaction program can't start another one on the same storage")
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
    if (op === "append" || op === "insert") {
      const id = table.insert(request.row)
      this.#undo.note(table, id)
      return op === "append" ? id : table.get(id)
    }
    if (op === "put") {
      this.#undo.note(table, table.put(request.row))
      return table.get(request.row.id)
    }
    if (op === "remove") this.#undo.note(table, table.remove(request.id))
    else this.#undo.noteTrim(table, table.trim(request.below))
    return undefined
  }

  /** Programs run to their end before anyone reads, so it does not matter that what is undone counts as a change. */
  edition(collections: ReadonlyArray<Collection<Row>>): number {
    let changes = this.#firstEdition
    for (const collection of collections) changes += this.#store.table(collection).changes
    return changes
  }
}
