/**
 * How long a polite caller waits before it tries again: never less than it was told, a little more,
 * and within a bound.
 */

/** All in milliseconds. */
export type BackoffPolicy = {
  /** About what the first wait is where nothing was told; each further one is twice as long … */
  readonly firstMs: number
  /** … up to this. */
  readonly longestMs: number
  /** Who is told to wait for longer than this does not wait. */
  readonly patienceMs: number
  /**
   * Of those who are told the same time, each waits up to so much longer, so that they don't come
   * back all at once.
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
 * The wait before try number `attempt` + 1, counting from 1. `retryAfterSeconds` is what the answer
 * told (`Retry-After`), undefined where it told nothing; `random()` is from 0 up to 1. Undefined
 * when the caller is told to wait for longer than its patience lasts: then waiting is for whoever
 * called it to decide.
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
