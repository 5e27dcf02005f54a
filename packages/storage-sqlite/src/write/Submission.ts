/** A program that waits for the next commit, and its outcome. */
import { drive, type Program, type Request, type StorageError } from "@petstore/core/storage"
import * as Either from "effect/Either"
import { failureOf } from "../base/sqliteFailure.js"

/** The answer or refusal of the program, a failure of the storage, or a defect of the program. */
export type Outcome<A, E> =
  | { readonly _tag: "Answered"; readonly answer: Either.Either<A, E | StorageError> }
  | { readonly _tag: "Died"; readonly defect: unknown }

export const failed = (failure: StorageError): Outcome<never, never> => ({
  _tag: "Answered",
  answer: Either.left(failure)
})

/** Answers the requests of a program. */
export type Write = (request: Request) => unknown

export const outcomeOf = <A, E>(program: () => Program<A, E>, write: Write): Outcome<A, E> => {
  try {
    return { _tag: "Answered", answer: drive<A, E>(program(), write) }
  } catch (thrown) {
    const failure = failureOf(thrown, "write")
    return failure === undefined ? { _tag: "Died", defect: thrown } : failed(failure)
  }
}

/** Whether the writes of the program are kept. */
export const keeps = <A, E>(outcome: Outcome<A, E>): boolean =>
  outcome._tag === "Answered" && Either.isRight(outcome.answer)

/**
 * A submission without the types of its answer. Its outcome is told once, and not after `cancel`.
 */
export type Waiting = {
  readonly sinceMs: number
  /** How long it waits for the lock before it fails as `Busy`, in milliseconds. */
  readonly busyMs: number
  /** False after `cancel`: it need not run then. */
  readonly isOpen: () => boolean
  /** Runs it from the start, and remembers its outcome. Answers whether its writes are kept. */
  readonly run: (write: Write) => boolean
  /** Tells the outcome of the last run. */
  readonly settle: () => void
  /** Tells that it could not be stored. */
  readonly fail: (failure: StorageError) => void
  /** Tells a defect. */
  readonly die: (defect: unknown) => void
}

export class Submission<A, E> implements Waiting {
  readonly sinceMs: number
  readonly busyMs: number
  readonly #program: () => Program<A, E>
  #tell: ((outcome: Outcome<A, E>) => void) | undefined
  #outcome: Outcome<A, E> | undefined

  constructor(
    program: () => Program<A, E>,
    { sinceMs, busyMs }: Pick<Waiting, "sinceMs" | "busyMs">,
    tell: (outcome: Outcome<A, E>) => void
  ) {
    this.#program = program
    this.#tell = tell
    this.sinceMs = sinceMs
    this.busyMs = busyMs
  }

  cancel(): void {
    this.#tell = undefined
  }

  readonly isOpen = (): boolean => this.#tell !== undefined

  readonly run = (write: Write): boolean => {
    this.#outcome = outcomeOf(this.#program, write)
    return keeps(this.#outcome)
  }

  readonly settle = (): void => {
    if (this.#outcome !== undefined) this.#close(this.#outcome)
  }

  readonly fail = (failure: StorageError): void => this.#close(failed(failure))

  readonly die = (defect: unknown): void => this.#close({ _tag: "Died", defect })

  #close(outcome: Outcome<A, E>): void {
    const tell = this.#tell
    this.#tell = undefined
    tell?.(outcome)
  }
}
