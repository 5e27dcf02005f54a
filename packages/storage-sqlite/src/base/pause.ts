/** Waiting for other processes, in real time: the clock of the host may be virtual. */
import { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { clearTimeout, monotonicMs, setTimeout } from "./timers.js"

const nothing = new Int32Array(new SharedArrayBuffer(4))

/** Blocks for a millisecond. */
export const pauseBriefly = (): void => {
  Atomics.wait(nothing, 0, 0, 1)
}

/** Tries until it is not `Busy`, blocking for no longer than this. */
export const insistNow = <A, E>(
  forMs: number,
  attempt: () => Either.Either<A, E | StorageError>
): Either.Either<A, E | StorageError> => {
  let answer = attempt()
  if (!isBusy(answer)) return answer
  const untilMs = monotonicMs() + forMs
  while (isBusy(answer) && monotonicMs() < untilMs) {
    pauseBriefly()
    answer = attempt()
  }
  return answer
}

/** Tries until it is not `Busy`, without blocking and for no longer than this. */
export const insist = <A, E>(
  forMs: number,
  attempt: () => Either.Either<A, E | StorageError>
): Effect.Effect<A, E | StorageError> =>
  Effect.suspend(() => {
    const first = attempt()
    if (!isBusy(first)) return first
    const untilMs = monotonicMs() + forMs
    return Effect.async<A, E | StorageError>((resume) => {
      const again = (): void => {
        try {
          const answer = attempt()
          if (isBusy(answer) && monotonicMs() < untilMs) timer = setTimeout(again, RETRY_MS)
          else resume(answer)
        } catch (defect) {
          resume(Effect.die(defect))
        }
      }
      let timer = setTimeout(again, RETRY_MS)
      return Effect.sync(() => clearTimeout(timer))
    })
  })

/** The answer of something that throws where it fails, with failures of the storage as values. */
export const caught = <A>(run: () => A): Either.Either<A, StorageError> => {
  try {
    return Either.right(run())
  } catch (thrown) {
    if (thrown instanceof StorageError) return Either.left(thrown)
    throw thrown
  }
}

const RETRY_MS = 5

const isBusy = (answer: Either.Either<unknown, unknown>): boolean =>
  Either.isLeft(answer) && answer.left instanceof StorageError && answer.left.reason === "Busy"
