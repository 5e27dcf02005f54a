/** The values of the header fields of an answer. */
import { parseHttpDate } from "../fields/httpDate.js"
import { retryAfterMs } from "../fields/retryAfter.js"
import type { ClientAnswer } from "./Transport.js"

/** The state of the caller's limits (SPEC.md §8). */
export type RateLimit = {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds. */
  readonly resetSeconds: number
}

/** The deprecation of an operation. */
export type Deprecation = {
  /** When its deprecation began, in Unix seconds. */
  readonly sinceSeconds: number
  /** When it will be removed, in milliseconds since 1970. */
  readonly sunsetMs: number | undefined
}

/** An answer together with the values of its header fields. */
export type DetailedAnswer<A> = {
  readonly value: A
  readonly status: number
  readonly requestId: string | undefined
  readonly rate: RateLimit | undefined
  /** The tag of the record. */
  readonly etag: string | undefined
  /** The revision in the tag, for `{ ifRevision }` of a later change. */
  readonly revision: number | undefined
  readonly deprecated: Deprecation | undefined
  readonly stability: "stable" | "beta" | "experimental"
  /** Whether this is the stored answer to an earlier call with the same idempotency key. */
  readonly replayed: boolean
}

/** The whole number in a field; undefined where the field is missing or malformed. */
export const numberIn = (text: string | null): number | undefined =>
  text !== null && /^\d+$/.test(text) ? Number(text) : undefined

export const rateOf = ({ header }: ClientAnswer): RateLimit | undefined => {
  const limit = numberIn(header("x-ratelimit-limit"))
  const remaining = numberIn(header("x-ratelimit-remaining"))
  const resetSeconds = numberIn(header("x-ratelimit-reset"))
  return limit === undefined || remaining === undefined || resetSeconds === undefined
    ? undefined
    : { limit, remaining, resetSeconds }
}

/** In seconds, rounded up. */
export const retryAfterOf = ({ header }: ClientAnswer, nowMs: number): number | undefined => {
  const ms = retryAfterMs(header("retry-after"), nowMs)
  return ms === undefined ? undefined : Math.ceil(ms / 1_000)
}

const deprecatedOf = ({ header }: ClientAnswer, nowMs: number): Deprecation | undefined => {
  const since = /^@(\d+)$/.exec(header("deprecation") ?? "")?.[1]
  return since === undefined
    ? undefined
    : { sinceSeconds: Number(since), sunsetMs: parseHttpDate(header("sunset") ?? "", nowMs) }
}

export const detailedAnswerOf = <A>(
  answer: ClientAnswer,
  value: A,
  nowMs: number
): DetailedAnswer<A> => {
  const { status, header } = answer
  const stability = header("x-stability")
  return {
    value,
    status,
    requestId: header("x-request-id") ?? undefined,
    rate: rateOf(answer),
    etag: header("etag") ?? undefined,
    revision: numberIn(/^"\d+-(\d+)(?:-\w+)?"$/.exec(header("etag") ?? "")?.[1] ?? null),
    deprecated: deprecatedOf(answer, nowMs),
    stability: stability === "beta" || stability === "experimental" ? stability : "stable",
    replayed: header("idempotent-replayed") === "true"
  }
}
