/** Runs the write of an operation and turns its outcome into a result. */
import {
  andThen,
  type Attempt,
  type Engine,
  type MaybePromise,
  runOnce
} from "@petstore/core/adapter"
import type { Refuse, Request, StorageError } from "@petstore/core/storage"
import * as Either from "effect/Either"
import type { Refusal } from "../contract/errors.js"
import type { Outcome, Result } from "./Handler.js"

type Writes = Request | Refuse<Refusal>

/** Runs once for all attempts with one idempotency key. */
export const write = <A>(
  engine: Engine,
  attempt: Attempt | undefined,
  start: () => Generator<Writes, A, unknown>,
  toResult: (outcome: Either.Either<A, Refusal | StorageError>) => Result
): MaybePromise<Outcome> => {
  if (attempt === undefined) return andThen(engine.write<A, Writes>(start), toResult)
  return andThen(
    runOnce<A, Refusal>(engine, attempt, start, (outcome) => storedText(toResult(outcome))),
    (stored): Outcome =>
      Either.isRight(stored)
        ? { kind: "stored", result: JSON.parse(stored.right.text), replayed: stored.right.replayed }
        : { kind: "refused", refusal: stored.left }
  )
}

/** A result as text, for repetitions of the request: it renders to the same bytes again. */
const storedText = (result: Result): string => {
  if (result.kind !== "refused") return JSON.stringify(result)
  const { code, message } = result.refusal
  return JSON.stringify({ kind: "refused", refusal: { code, message } })
}
