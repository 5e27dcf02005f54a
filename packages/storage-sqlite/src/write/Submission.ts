/** A program that waits for the next commit, and its outcome. */
import { drive, type Program, type Request, type StorageError } from "@petstore/core/storage"
import * as Either from "effect/Either"
import { failureOf } from "../base/sqliteFailure.js"

/** The result or refusal of the program, a failure of the storage, or a defect of the program. */
export type Outcome<A, E> =
  | { readonly _tag: "Completed"; readonly result: Either.Either<A, E | StorageError> }
  | { readonly _tag: "Died"; readonly defect: unknown }

export const failureOutcome = (failure: StorageError): Outcome<never, never> => ({
  _tag: "Completed",
  result: Either.left(failure)
})

/** Executes a request of a program, and returns its result. */
export type Write = (request: Request) => unknown

export const outcomeOf = <A, E>(program: () => Program<A, E>, write: Write): Outcome<A, E> => {
  try {
    return { _tag: "Completed", result: drive<A, E>(program(), write) }
  } catch (thrown) {
    const failure = failureOf(thrown, "write")
    return failure === undefined ? { _tag: "Died", defect: thrown } : failureOutcome(failure)
  }
}

/** Whether the program has a result. If not, its writes are rolled back. */
export const isSuccess = <A, E>(outcome: Outcome<A, E>): boolean =>
  outcome._tag === "Completed" && Either.isRight(outcome.result)

/**
 * A submission without the types of its result. It reports its outcome once, and never after
 * `cancel`.
 */
export type QueuedProgram = {
  /** When it was submitted, by the clock of the writer. */
  readonly sinceMs: number
  /** How long it waits for the lock before it fails as `Busy`, in milliseconds. */
  readonly busyMs: number
  /** False after `cancel` and after its outcome was reported: it must not run then. */
  readonly isOpen: () => boolean
  /** Runs it from the start, and stores its outcome. Returns whether its writes are to be kept. */
  readonly run: (write: Write) => boolean
  /** Reports the outcome of the last run. */
  readonly settle: () => void
  /** Reports that its writes could not be stored. */
  readonly fail: (failure: StorageError) => void
  /** Reports a defect. */
  readonly die: (defect: unknown) => void
}

export class Submission<A, E> implements QueuedProgram {
  readonly sinceMs: number
  readonly busyMs: number
  readonly #program: () => Program<A, E>
  #onOutcome: ((outcome: Outcome<A, E>) => void) | undefined
  #outcome: Outcome<A, E> | undefined

  constructor(
    program: () => Program<A, E>,
    { sinceMs, busyMs }: Pick<QueuedProgram, "sinceMs" | "busyMs">,
    onOutcome: (outcome: Outcome<A, E>) => void
  ) {
    this.#program = program
    this.#onOutcome = onOutcome
    this.sinceMs = sinceMs
    this.busyMs = busyMs
  }

  cancel(): void {
    this.#onOutcome = undefined
  }

  readonly isOpen = (): boolean => this.#onOutcome !== undefined

  readonly run = (write: Write): boolean => {
    this.#outcome = outcomeOf(this.#program, write)
    return isSuccess(this.#outcome)
  }

  readonly settle = (): void => {
    if (this.#outcome !== undefined) this.#close(this.#outcome)
  }

  readonly fail = (failure: StorageError): void => this.#close(failureOutcome(failure))

  readonly die = (defect: unknown): void => this.#close({ _tag: "Died", defect })

  #close(outcome: Outcome<A, E>): void {
    const onOutcome = this.#onOutcome
    this.#onOutcome = undefined
    onOutcome?.(outcome)
  }
}
