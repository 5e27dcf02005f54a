/**
 * Runs a program to its end and answers its requests one by one: the loop of every synchronous
 * interpreter.
 */
import * as Either from "effect/Either"
import type { Refuse, Request } from "./Program.js"

/**
 * The result of the program, or its error. A program that refuses is closed, so that its `finally`
 * blocks run; requests that they yield are not answered. Errors that `answer` throws go to the
 * caller.
 */
export const drive = <A, E>(
  steps: Iterator<Request | Refuse<E>, A, unknown>,
  answer: (request: Request) => unknown
): Either.Either<A, E> => {
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
