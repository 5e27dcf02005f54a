/** Values that are available at once or as a promise. Only this file distinguishes them. */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"

/** A value, or a promise of it if something has to wait. */
export type MaybePromise<A> = A | Promise<A>

/** Whether the value has to be waited for. */
export const isPromise = <A>(answer: MaybePromise<A>): answer is Promise<A> =>
  answer instanceof Promise

/** Applies `next` to the value: at once, or when the promise resolves. */
export const andThen = <A, B>(
  answer: MaybePromise<A>,
  next: (value: A) => MaybePromise<B>
): MaybePromise<B> => (isPromise(answer) ? answer.then(next) : next(answer))

/** The value. If `ask` throws or its promise rejects, the result of `recover`. */
export const orElse = <A, B>(
  ask: () => MaybePromise<A>,
  recover: (cause: unknown) => B
): MaybePromise<A | B> => {
  try {
    const answer = ask()
    return isPromise(answer) ? answer.catch(recover) : answer
  } catch (cause) {
    return recover(cause)
  }
}

/** An effect that calls `ask`, and succeeds or fails with its result. */
export const effectOf = <A, E>(ask: () => MaybePromise<Either.Either<A, E>>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const answer = ask()
    return isPromise(answer) ? Effect.flatten(Effect.promise(() => answer)) : answer
  })
