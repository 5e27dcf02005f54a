/**
 * Runs a writing program at most once for one key. The response is stored in the same transaction
 * as the writes, so there is never one without the other, and is sent again when the request is
 * repeated.
 *
 * A refusal rolls back all writes of its program, the stored response included, so a second program
 * stores it. If another request with the same key was answered in between, that response is used
 * for both.
 */
import * as Either from "effect/Either"
import { andThen, type MaybePromise } from "../../value/maybePromise.js"
import type { Write } from "../port/Runner.js"
import { StorageError } from "../port/StorageError.js"
import type { Index } from "../program/Collection.js"
import { EXPIRY_INDEX, idempotency, SCOPE_INDEX } from "./rows.js"
import type { Program, Range, Refuse, Request } from "../program/Program.js"
import { refuse, remove, scan } from "../program/requests.js"
import { insertRow } from "../program/rows.js"
import { IdempotencyMismatch } from "./errors.js"

/** One attempt of a request that may be sent several times. */
export type Attempt = {
  /** Digest of the caller, the operation and the idempotency key. */
  readonly scope: string
  /** Digest of everything else that has to be equal in a repeated request. */
  readonly fingerprint: string
  readonly nowMs: number
}

/** The response to a request, serialised by the caller of {@link runOnce}. */
export type IdempotentResponse = { readonly text: string; readonly replayed: boolean }

/** How long a response is stored. */
export const REMEMBERED_MS = 24 * 60 * 60_000

/**
 * The number of expired responses that each new one removes: more than one, so that they do not
 * pile up.
 */
const FORGOTTEN_AT_ONCE = 4

const rangeOf = (index: Index, bounds: Partial<Range>): Range => ({
  index,
  prefix: [],
  atLeast: null,
  below: null,
  ...bounds
})

/** The response to an earlier attempt, if it has not expired. */
function* remembered({
  scope,
  fingerprint,
  nowMs
}: Attempt): Program<string | undefined, IdempotencyMismatch> {
  const [row] = yield* scan(idempotency, rangeOf(SCOPE_INDEX, { prefix: [scope] }), { limit: 1 })
  if (row === undefined) return undefined
  if (row.expiresMs <= nowMs) {
    yield* remove(idempotency, row)
    return undefined
  }
  return row.fingerprint === fingerprint ? row.answer : yield* refuse(new IdempotencyMismatch())
}

function* remember({ scope, fingerprint, nowMs }: Attempt, answer: string): Program<void> {
  const past = yield* scan(idempotency, rangeOf(EXPIRY_INDEX, { below: nowMs + 1 }), {
    limit: FORGOTTEN_AT_ONCE
  })
  for (const row of past) yield* remove(idempotency, row)
  yield* insertRow(idempotency, { scope, fingerprint, answer, expiresMs: nowMs + REMEMBERED_MS })
}

type Steps<A, E> = () => Generator<Request | Refuse<E>, A, unknown>

function* attempted<A, E>(
  attempt: Attempt,
  start: Steps<A, E>,
  tell: (answer: A) => string
): Program<IdempotentResponse, E | IdempotencyMismatch> {
  const earlier = yield* remembered(attempt)
  if (earlier !== undefined) return { text: earlier, replayed: true }
  const text = tell(yield* start())
  yield* remember(attempt, text)
  return { text, replayed: false }
}

function* refused(
  attempt: Attempt,
  text: string
): Program<IdempotentResponse, IdempotencyMismatch> {
  const earlier = yield* remembered(attempt)
  if (earlier !== undefined) return { text: earlier, replayed: true }
  yield* remember(attempt, text)
  return { text, replayed: false }
}

/**
 * Runs the program, or returns the stored response. `tell` serialises a result or a refusal.
 * Storages run writing programs one after the other, so one of several concurrent attempts runs and
 * the others get its response. Fails only if the storage fails, in which case nothing is stored, or
 * if the key was used for another request.
 */
export const runOnce = <A, E>(
  { write }: { readonly write: Write },
  attempt: Attempt,
  start: Steps<A, E>,
  tell: (outcome: Either.Either<A, E>) => string
): MaybePromise<Either.Either<IdempotentResponse, IdempotencyMismatch | StorageError>> =>
  andThen(
    write(() => attempted(attempt, start, (answer) => tell(Either.right(answer)))),
    (
      outcome
    ): MaybePromise<Either.Either<IdempotentResponse, IdempotencyMismatch | StorageError>> => {
      if (Either.isRight(outcome)) return Either.right(outcome.right)
      const refusal = outcome.left
      return refusal instanceof StorageError || refusal instanceof IdempotencyMismatch
        ? Either.left(refusal)
        : write(() => refused(attempt, tell(Either.left(refusal))))
    }
  )
