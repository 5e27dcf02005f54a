/** Programs with another one in between: how a storage is put in front of another storage. */
import type { Refuse, Request } from "./Program.js"

const isRefusal = <E>(step: Request | Refuse<E>): step is Refuse<E> => step.op === "refuse"

/**
 * The program with `answer` between it and the storage: `answer` is asked each of its requests,
 * yields to the storage what it likes, and returns what the program gets. Refusals pass through.
 */
export function* intercept<A, E, Asked extends Request, Yields extends Request | Refuse<unknown>>(
  program: Generator<Asked | Refuse<E>, A, unknown>,
  answer: (request: Asked) => Generator<Yields, unknown, unknown>
): Generator<Yields | Refuse<E>, A, unknown> {
  const steps: Iterator<Asked | Refuse<E>, A, unknown> = program
  try {
    let step = steps.next()
    while (step.done !== true)
      step = steps.next(isRefusal(step.value) ? yield step.value : yield* answer(step.value))
    return step.value
  } finally {
    steps.return?.()
  }
}
