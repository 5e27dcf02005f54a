/**
 * Why a request is refused by the limiter. Both say how long to wait; after that the request is
 * served.
 */
import * as Data from "effect/Data"
import { formatInstant } from "../../value/Instant.js"
import type { RateHeaders } from "./RateHeaders.js"

type Wait = {
  readonly untilMs: number
  readonly retryAfterSeconds: number
  readonly headers: RateHeaders
}

/** The window's requests are used up (SPEC.md §8). */
export class RateLimited extends Data.TaggedError("RateLimited")<Wait> {
  readonly code = "rate_limited"
  override get message(): string {
    return (
      `the limit of ${this.headers.limit} requests a ${this.headers.window} is reached: retry ` +
      `after ${this.retryAfterSeconds} s`
    )
  }
}

/**
 * The caller repeated requests too often before it was to retry (SPEC.md §8), and is shut out for a
 * while.
 */
export class KeyBanned extends Data.TaggedError("KeyBanned")<Wait> {
  readonly code = "key_banned"
  override get message(): string {
    return (
      `banned until ${formatInstant(this.untilMs)} for repeating requests before Retry-After ` +
      `was over: retry after ${this.retryAfterSeconds} s`
    )
  }
}
