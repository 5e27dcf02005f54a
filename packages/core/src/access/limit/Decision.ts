/**
 * The decision of the limiter on one request. A plain value, because refusing a flood must not cost
 * more than serving it.
 */
import { withoutStack } from "../../value/withoutStack.js"
import { KeyBanned, RateLimited } from "./errors.js"
import type { RateHeaders } from "./RateHeaders.js"

/** The request is counted. `headers` describe the state after it. */
export type AdmittedRequest = { readonly _tag: "Admitted"; readonly headers: RateHeaders }

/**
 * The request is refused and not counted. `untilMs` is the end of the refusing window (a request in
 * that millisecond is admitted), or of the ban. `headers` describe the refusing window, or one that
 * is counted during the ban.
 */
export type RefusedRequest = {
  readonly _tag: "RateLimited" | "KeyBanned"
  readonly untilMs: number
  /**
   * The value of `Retry-After`: seconds from now, rounded up, at least 1 (RFC 9110 §10.2.3), until
   * both `untilMs` and the reset time in the headers are over.
   */
  readonly retryAfterSeconds: number
  readonly headers: RateHeaders
}

export type Decision = AdmittedRequest | RefusedRequest

/** The refusal as of `nowMs`, which is before `untilMs`, with the seconds of `Retry-After`. */
export const refusedAt = (
  refused: Omit<RefusedRequest, "retryAfterSeconds">,
  nowMs: number
): RefusedRequest => ({
  _tag: refused._tag,
  untilMs: refused.untilMs,
  retryAfterSeconds: Math.max(
    1,
    Math.ceil((Math.max(refused.untilMs, refused.headers.resetSeconds * 1_000) - nowMs) / 1_000)
  ),
  headers: refused.headers
})

/** The refusal as an error of the engine's APIs. */
export const refusalOf = ({
  _tag,
  untilMs,
  retryAfterSeconds,
  headers
}: RefusedRequest): RateLimited | KeyBanned =>
  withoutStack(() =>
    _tag === "RateLimited"
      ? new RateLimited({ untilMs, retryAfterSeconds, headers })
      : new KeyBanned({ untilMs, retryAfterSeconds, headers })
  )
