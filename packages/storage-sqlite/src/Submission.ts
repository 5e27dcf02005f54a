/** A program that waits for the next commit, and what has become of it. */
import { drive, type Program, type Request, StorageError } from "@petstore/core"
import { Either } from "effect"
import { failureOf } from "./sqliteFailure.js"

/** The program's answer or refusal, a failure of the storage, or a defect of the program. */
export type Outcome<A, E> =
  | { readonly _tag: "Answered"; readonly answer: Either.Either<A, E | StorageError> }
  | { readonly _tag: "Died"; readonly defect: unknown }

/** As the writer sees it, without the types of its answer. */
export type Waiting = {
  readonly sinceMs: number
  /** Whether whoever submitted it no longer waits; then it is not run. */
  readonly isCancelled: () => boolean
  /** Runs it from the start, keeping what comes of it; answers whether its writes shall stay. */
  readonly run: (write: (request: Request) => unknown) => boolean
  /** Tells what came of the last run. */
  readonly settle: () => void
  /** Tells that it could not be stored. */
  readonly fail: (failure: StorageError) => void
}

/** Runs a program on an interpreter's answers and says how it ended. */
export const outcomeOf = <A, E>(program: () => Program<A, E>, write: (request: Request) => unknown): Outcome<A, E> => {
  try {
    return { _tag: "Answered", answer: drive<A, E>(program(), write) }
  } catch (thrown) {
    const failure = failureOf(thrown, "write")
    return failure === undefined ? { _tag: "Died", defect: thrown } : { _tag: "Answered", answer: Either.left(failure) }
  }
}

export const keeps = <A, E>(outcome: Outcome<A, E>): boolean =>
  outcome._tag === "Answered" && Either.isRight(outcome.answer)

export class Submission<A, E> implements Waiting {
  readonly sinceMs: number
  readonly #program: () => Program<A, E>
  readonly #tell: (outcome: Outcome<A, E>) => void
  #outcome: Outcome<A, E> | undefined
  #cancelled = false

  constructor(program: () => Program<A, E>, sinceMs: number, tell: (outcome: Outcome<A, E>) => void) {
    this.#program = program
    this.#tell = tell
    this.sinceMs = sinceMs
  }

  cancel(): void {
    this.#cancelled = true
  }

  readonly isCancelled = (): boolean => this.#cancelled

  readonly run = (write: (request: Request) => unknown): boolean => {
    this.#outcome = outcomeOf(this.#program, write)
    return keeps(this.#outcome)
  }

  readonly settle = (): void => {
    if (this.#outcome !== undefined && !this.#cancelled) this.#tell(this.#outcome)
  }

  readonly fail = (failure: StorageError): void => {
    if (!this.#cancelled) this.#tell({ _tag: "Answered", answer: Either.left(failure) })
  }
}
