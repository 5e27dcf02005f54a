/**
 * Runs transaction programs over a store, one at a time and to their end, so that none sees another's half. What a
 * program writes is undone in reverse when it refuses or throws.
 */
import type { Program, ReadProgram, Refuse, Request } from "@petstore/core"
import { Either } from "effect"
import type { Store } from "./Store.js"

type Undo = Array<() => void>
type Steps<A, E> = Iterator<Request | Refuse<E>, A, unknown>

export class Interpreter {
  readonly #store: Store
  #isRunning = false

  constructor(store: Store) {
    this.#store = store
  }

  read<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E> {
    return this.#alone(() => drive<A, E>(program(), this.#read))
  }

  write<A, E>(program: () => Program<A, E>): Either.Either<A, E> {
    return this.#alone(() => {
      const undo: Undo = []
      try {
        const outcome = drive<A, E>(program(), (request) => this.#write(request, undo))
        if (Either.isLeft(outcome)) rollBack(undo)
        return outcome
      } catch (defect) {
        rollBack(undo)
        throw defect
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
    switch (request.op) {
      case "get":
        return table.get(request.id)
      case "scan":
        return table.scan(request)
      case "count":
        return table.count(request)
      default:
        throw new Error(`a program that was run by read can't ${request.op}`)
    }
  }

  #write(request: Request, undo: Undo): unknown {
    const table = this.#store.table(request.collection)
    switch (request.op) {
      case "insert": {
        const row = table.insert(request.row)
        undo.push(() => table.undoInsert(row.id))
        return row
      }
      case "put": {
        const before = table.put(request.row)
        undo.push(() => table.undoPut(before))
        return undefined
      }
      case "remove": {
        const before = table.remove(request.id)
        undo.push(() => table.undoRemove(before))
        return undefined
      }
      default:
        return this.#read(request)
    }
  }
}

/** A program that refuses is closed, so that its `finally` blocks run; requests they yield are not answered. */
const drive = <A, E>(steps: Steps<A, E>, answer: (request: Request) => unknown): Either.Either<A, E> => {
  let step = steps.next()
  while (step.done !== true) {
    const request = step.value
    if (request.op === "refuse") {
      steps.return?.()
      return Either.left(request.error)
    }
    step = steps.next(answer(request))
  }
  return Either.right(step.value)
}

const rollBack = (undo: Undo): void => {
  for (let last = undo.pop(); last !== undefined; last = undo.pop()) last()
}
