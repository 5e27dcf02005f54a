/** Retries while other processes hold a lock. In real time, since a host's clock may be virtual. */
import { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { clearTimeout, monotonicMs, setTimeout } from "./timers.js"

const neverNotified = new Int32Array(new SharedArrayBuffer(4))

/** Blocks for a millisecond. */
export const blockBriefly = (): void => {
  Atomics.wait(neverNotified, 0, 0, 1)
}

/** Retries while the attempt fails as `Busy`; blocks the event loop for at most `forMs`. */
export const retryWhileBusyBlocking = <A, E>(
  forMs: number,
  attempt: () => Either.Either<A, E | StorageError>
): Either.Either<A, E | StorageError> => {
  let result = attempt()
  if (!isBusy(result)) return result
  const untilMs = monotonicMs() + forMs
  while (isBusy(result) && monotonicMs() < untilMs) {
    blockBriefly()
    result = attempt()
  }
  return result
}

/** Retries while the attempt fails as `Busy`, for at most `forMs`, without blocking. */
export const retryWhileBusy = <A, E>(
  forMs: number,
  attempt: () => Either.Either<A, E | StorageError>
): Effect.Effect<A, E | StorageError> =>
  Effect.suspend(() => {
    const first = attempt()
    if (!isBusy(first)) return first
    const untilMs = monotonicMs() + forMs
    return Effect.async<A, E | StorageError>((resume) => {
      const retry = (): void => {
        try {
          const result = attempt()
          if (isBusy(result) && monotonicMs() < untilMs) timer = setTimeout(retry, RETRY_MS)
          else resume(result)
        } catch (defect) {
          resume(Effect.die(defect))
        }
      }
      let timer = setTimeout(retry, RETRY_MS)
      return Effect.sync(() => clearTimeout(timer))
    })
  })

/** Returns a thrown `StorageError` as a Left. */
export const catchStorageError = <A>(run: () => A): Either.Either<A, StorageError> => {
  try {
    return Either.right(run())
  } catch (thrown) {
    if (thrown instanceof StorageError) return Either.left(thrown)
    throw thrown
  }
}

const RETRY_MS = 5

const isBusy = (result: Either.Either<unknown, unknown>): boolean =>
  Either.isLeft(result) && result.left instanceof StorageError && result.left.reason === "Busy"
