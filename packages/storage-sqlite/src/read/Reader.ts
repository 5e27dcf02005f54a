/** Runs reading programs, each in one snapshot of the file. */
import {
  drive,
  type ReadProgram,
  type Refuse,
  type Request,
  type StorageError
} from "@petstore/core/storage"
import * as Either from "effect/Either"
import type { NameCheck } from "../connection/NameCheck.js"
import { failureOrThrow } from "../base/sqliteFailure.js"
import type { Tables } from "../table/Tables.js"
import type { ReentrancyGuard } from "../base/ReentrancyGuard.js"
import type { ReadSnapshot } from "./ReadSnapshot.js"

const NEEDS_SNAPSHOT: unique symbol = Symbol("needs a snapshot")

export class Reader {
  readonly #name: string
  readonly #check: Pick<NameCheck, "check" | "checkOccasionally">
  readonly #tables: Tables
  readonly #guard: ReentrancyGuard
  readonly #snapshot: ReadSnapshot

  /** `name` is the file name in failures; `check` fails once it no longer refers to the file. */
  constructor(
    name: string,
    tables: Tables,
    guard: ReentrancyGuard,
    snapshot: ReadSnapshot,
    check: Pick<NameCheck, "check" | "checkOccasionally">
  ) {
    this.#name = name
    this.#check = check
    this.#tables = tables
    this.#guard = guard
    this.#snapshot = snapshot
  }

  run<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E | StorageError> {
    const lost = this.#check.checkOccasionally()
    if (lost !== undefined) return Either.left(lost)
    return this.#guard.run(() => {
      try {
        return this.#snapshot.isShared()
          ? drive<A, E>(program(), this.#tables.read)
          : this.#inSnapshot(program)
      } catch (thrown) {
        this.#snapshot.close()
        const failure = failureOrThrow(thrown, `read ${this.#name}`)
        return Either.left(this.#check.check() ?? failure)
      }
    })
  }

  /**
   * A program that gets one row needs no snapshot, since one statement sees one state. A program
   * that then makes another request starts again in a snapshot, which costs one more get.
   */
  #inSnapshot<A, E>(program: () => ReadProgram<A, E>): Either.Either<A, E> {
    const result = this.#withoutSnapshot(program())
    return result === NEEDS_SNAPSHOT
      ? this.#snapshot.runInOwnSnapshot(() => drive<A, E>(program(), this.#tables.read))
      : result
  }

  #withoutSnapshot<A, E>(
    steps: Iterator<Request | Refuse<E>, A, unknown>
  ): Either.Either<A, E> | typeof NEEDS_SNAPSHOT {
    let step = steps.next()
    if (step.done !== true && step.value.op === "get")
      step = steps.next(this.#tables.read(step.value))
    if (step.done === true) return Either.right(step.value)
    const request = step.value
    steps.return?.()
    return request.op === "refuse" ? Either.left(request.error) : NEEDS_SNAPSHOT
  }
}
