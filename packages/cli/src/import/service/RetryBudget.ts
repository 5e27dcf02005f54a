/**
 * The waits and the failures of an import, shared by all of its requests. When the service sends
 * `Retry-After`, no request is sent before that time, and each waits a little longer at random so
 * that they do not all come at once.
 */
import { backoffMs, DEFAULT_BACKOFF } from "@petstore/core"
import type { UnexpectedAnswer } from "@petstore/http-adapter/client"
import { formatSeconds } from "../../terminal/text.js"
import { ImportStopped } from "./ImportStopped.js"
import type { Time } from "./Time.js"

/** Failures in a row before the import gives up: about two minutes without `Retry-After`. */
const MAX_FAILURES = 12
/** The limit before the first success, so that a wrong URL is reported soon. */
const MAX_FIRST_FAILURES = 4

export class RetryBudget {
  #untilMs = 0
  #failures = 0
  #maxFailures = MAX_FIRST_FAILURES
  readonly #time: Time
  readonly #signal: AbortSignal
  readonly #maxWaitMs: number
  readonly #onWait: (ms: number, why: string) => void

  /** A `Retry-After` longer than `maxWaitMs` stops the import. */
  constructor(
    time: Time,
    signal: AbortSignal,
    maxWaitMs: number,
    onWait: (ms: number, why: string) => void = () => undefined
  ) {
    this.#time = time
    this.#signal = signal
    this.#maxWaitMs = maxWaitMs
    this.#onWait = onWait
  }

  /** Resolves once a request may be sent. Rejects when the signal aborts. */
  async ready(): Promise<void> {
    this.#signal.throwIfAborted()
    for (let leftMs = this.#leftMs(); leftMs > 0; leftMs = this.#leftMs()) {
      await this.#time.sleep(leftMs + this.#time.random() * DEFAULT_BACKOFF.spreadMs, this.#signal)
    }
  }

  /** Refills the budget. */
  succeeded(): void {
    this.#failures = 0
    this.#maxFailures = MAX_FAILURES
  }

  /**
   * Whether this refusal asks to try again later: 429, 503, and 403 with `Retry-After`, which is a
   * ban. The next request then waits. Throws {@link ImportStopped} if the budget is spent.
   */
  postpones({
    status,
    retryAfterSeconds
  }: Pick<UnexpectedAnswer, "status" | "retryAfterSeconds">): boolean {
    const isBan = status === 403 && retryAfterSeconds !== undefined
    if (status !== 429 && status !== 503 && !isBan) return false
    this.failed(
      status === 429 ? "the rate limit is reached" : `the service answers ${status}`,
      retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000
    )
    return true
  }

  /**
   * Counts a failure. The next request waits for `waitMs`, or for a delay that grows with each
   * failure. Throws {@link ImportStopped} if the budget is spent.
   */
  failed(why: string, waitMs?: number): void {
    const nowMs = this.#time.nowMs()
    // concurrent requests meet the same failure; it counts once
    const isWaiting = this.#leftMs() > 0
    if (!isWaiting) this.#failures++
    if (this.#failures > this.#maxFailures)
      throw new ImportStopped(`${why} (tried ${this.#failures} times)`)
    const ms = waitMs ?? (isWaiting ? 0 : this.#backoffMs())
    if (ms > this.#maxWaitMs)
      throw new ImportStopped(`${why}; it asks to wait ${formatSeconds(ms / 1_000)}`)
    this.#untilMs = Math.max(this.#untilMs, nowMs + ms)
    if (!isWaiting) this.#onWait(ms, why)
  }

  #backoffMs(): number {
    return backoffMs(this.#failures, undefined, () => this.#time.random()) ?? 0
  }

  #leftMs(): number {
    return this.#untilMs - this.#time.nowMs()
  }
}
