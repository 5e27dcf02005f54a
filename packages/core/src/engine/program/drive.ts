/**
 * Runs a program to its end, answering its requests one by one: the loop that every synchronous
 * interpreter shares.
 */
import * as Either from "effect/Either"
import type { Refuse, Request } from "./Program.js"

/**
 * The program's answer, or its refusal. A program that refuses is closed, so that its `finally`
 * blocks run; requests they yield are not answered. What `answer` throws goes to the caller.
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
