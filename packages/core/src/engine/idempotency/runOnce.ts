/**
 * Runs a writing program at most once for one key. What it answered is stored in the same
 * transaction as what it wrote, so that there is never the one without the other, and is told again
 * to whoever repeats the request.
 *
 * A refusal rolls back what its program wrote, the record of it included, so it is recorded by a
 * second program. That one looks again: if a request with the same key came in between and was
 * answered, that answer is everybody's.
 */
import * as Either from "effect/Either"
import { andThen, type MaybePromise } from "../../value/maybePromise.js"
import type { Write } from "../port/Runner.js"
import { StorageError } from "../port/StorageError.js"
import type { Index } from "../program/Collection.js"
import { EXPIRY_INDEX, idempotency, SCOPE_INDEX } from "./rows.js"
import type { Program, Range, Refuse, Request } from "../program/Program.js"
import { insert, refuse, remove, scan } from "../program/requests.js"
import { IdempotencyMismatch } from "./errors.js"

/** One of possibly several attempts to have one thing done. */
export type Attempt = {
  /** Digest of who asks for what, and of the key. */
  readonly scope: string
  /** Digest of everything else that makes it the same request. */
  readonly fingerprint: string
  readonly nowMs: number
}

/** What a request is answered, as the caller of {@link runOnce} has written it down. */
export type Told = { readonly text: string; readonly replayed: boolean }

/** For how long an answer is remembered. */
export const REMEMBERED_MS = 24 * 60 * 60_000

/**
 * Each new record makes room by so many that are out of date, so that they go faster than they
 * come.
 */
const FORGOTTEN_AT_ONCE = 4

const rangeOf = (index: Index, bounds: Partial<Range>): Range => ({
  index,
  prefix: [],
  atLeast: null,
  below: null,
  ...bounds
})

/** The answer to an earlier attempt, if there was one. What is out of date is as good as gone. */
function* remembered({
  scope,
  fingerprint,
  nowMs
}: Attempt): Program<string | undefined, IdempotencyMismatch> {
  const [kept] = yield* scan(idempotency, rangeOf(SCOPE_INDEX, { prefix: [scope] }), { limit: 1 })
  if (kept === undefined) return undefined
  if (kept.expiresMs <= nowMs) {
    yield* remove(idempotency, kept)
    return undefined
  }
  return kept.fingerprint === fingerprint ? kept.answer : yield* refuse(new IdempotencyMismatch())
}

function* remember({ scope, fingerprint, nowMs }: Attempt, answer: string): Program<void> {
  const past = yield* scan(idempotency, rangeOf(EXPIRY_INDEX, { below: nowMs + 1 }), {
    limit: FORGOTTEN_AT_ONCE
  })
  for (const row of past) yield* remove(idempotency, row)
  yield* insert(idempotency, { scope, fingerprint, answer, expiresMs: nowMs + REMEMBERED_MS })
}

type Steps<A, E> = () => Generator<Request | Refuse<E>, A, unknown>

function* attempted<A, E>(
  attempt: Attempt,
  start: Steps<A, E>,
  tell: (answer: A) => string
): Program<Told, E | IdempotencyMismatch> {
  const known = yield* remembered(attempt)
  if (known !== undefined) return { text: known, replayed: true }
  const text = tell(yield* start())
  yield* remember(attempt, text)
  return { text, replayed: false }
}

function* refused(attempt: Attempt, text: string): Program<Told, IdempotencyMismatch> {
  const known = yield* remembered(attempt)
  if (known !== undefined) return { text: known, replayed: true }
  yield* remember(attempt, text)
  return { text, replayed: false }
}

/**
 * Runs the program, or tells what it was answered before; `tell` writes an answer or a refusal of
 * it down. Storages run writing programs one after the other, so of several attempts at once one
 * runs and the others are told. Left are only a storage that failed, of which nothing is recorded,
 * and a key that was used for another request.
 */
export const runOnce = <A, E>(
  { write }: { readonly write: Write },
  attempt: Attempt,
  start: Steps<A, E>,
  tell: (outcome: Either.Either<A, E>) => string
): MaybePromise<Either.Either<Told, IdempotencyMismatch | StorageError>> =>
  andThen(
    write(() => attempted(attempt, start, (answer) => tell(Either.right(answer)))),
    (outcome): MaybePromise<Either.Either<Told, IdempotencyMismatch | StorageError>> => {
      if (Either.isRight(outcome)) return Either.right(outcome.right)
      const refusal = outcome.left
      return refusal instanceof StorageError || refusal instanceof IdempotencyMismatch
        ? Either.left(refusal)
        : write(() => refused(attempt, tell(Either.left(refusal))))
    }
  )
