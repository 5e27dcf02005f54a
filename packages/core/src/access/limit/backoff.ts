/**
 * How long a polite client waits before it retries: at least as long as it was asked to, a little
 * longer, and within a bound.
 */

/** All in milliseconds. */
export type BackoffPolicy = {
  /**
   * Roughly the first wait if the response has no `Retry-After`. Each further wait is twice as long
   * …
   */
  readonly firstMs: number
  /** … up to this. */
  readonly longestMs: number
  /** A client that is asked to wait longer than this gives up. */
  readonly patienceMs: number
  /**
   * A random extra wait of up to this length, so that clients with the same `Retry-After` do not
   * return all at once.
   */
  readonly spreadMs: number
}

/** From a quarter of a second, doubling to 30 seconds, for waits of at most 2 minutes. */
export const DEFAULT_BACKOFF: BackoffPolicy = {
  firstMs: 250,
  longestMs: 30_000,
  patienceMs: 120_000,
  spreadMs: 1_000
}

/**
 * The wait before try number `attempt` + 1, counting from 1. `retryAfterSeconds` is the
 * `Retry-After` of the response, undefined without one; `random()` is from 0 up to 1. Undefined if
 * the client is asked to wait longer than it is willing to: then the caller of this function
 * decides.
 */
export const backoffMs = (
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: () => number,
  policy: BackoffPolicy = DEFAULT_BACKOFF
): number | undefined => {
  const { firstMs, longestMs, patienceMs, spreadMs } = policy
  if (retryAfterSeconds !== undefined) {
    const toldMs = retryAfterSeconds * 1_000
    return toldMs > patienceMs ? undefined : Math.ceil(toldMs + random() * spreadMs)
  }
  const wholeMs = Math.min(firstMs * 2 ** (attempt - 1), longestMs)
  return Math.ceil(wholeMs / 2 + (random() * wholeMs) / 2)
}
