/**
 * How long to wait before asking again, for all requests of an import together. When the service says Retry-After, nothing
 * is sent before that time is over; and a little later, each at its own moment, so that not all come at once.
 */
import { backoffMs, DEFAULT_BACKOFF } from "@petstore/core"
import { retryAfterMs } from "@petstore/http-adapter/client"
import { formatSeconds } from "../terminal/text.js"
import type { Time } from "./Time.js"
import type { Reply } from "./Transport.js"

/** The import can't go on now. What is done is recorded; the same command goes on from there. */
export class ImportStopped extends Error {
  override readonly name = "ImportStopped"
}

/** Setbacks in a row, with nothing that worked between them, before giving up: some two minutes without Retry-After. */
const MAX_SETBACKS = 12
/** The same before anything has worked: a wrong URL is to be told soon. */
const MAX_SETBACKS_AT_FIRST = 4

export class Patience {
  #untilMs = 0
  #setbacks = 0
  #mostSetbacks = MAX_SETBACKS_AT_FIRST
  readonly #time: Time
  readonly #signal: AbortSignal
  readonly #maxWaitMs: number
  readonly #onWait: (ms: number, why: string) => void

  /** `maxWaitMs` is the longest wait that is sat out; a longer one stops the import. */
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

  /** Waits until something may be sent. Rejects once the import is to stop. */
  async turn(): Promise<void> {
    this.#signal.throwIfAborted()
    for (let leftMs = this.#leftMs(); leftMs > 0; leftMs = this.#leftMs()) {
      await this.#time.sleep(leftMs + this.#time.random() * DEFAULT_BACKOFF.spreadMs, this.#signal)
    }
  }

  /** Something worked. */
  worked(): void {
    this.#setbacks = 0
    this.#mostSetbacks = MAX_SETBACKS
  }

  /** Whether this reply asks to come again later; if so, that is arranged, or {@link ImportStopped} is thrown. */
  putsOff(reply: Reply): boolean {
    const askedMs = retryAfterMs(reply.retryAfter, this.#time.nowMs())
    if (reply.status !== 429 && reply.status !== 503 && !(reply.status === 403 && askedMs !== undefined))
      return false
    this.setback(
      reply.status === 429 ? "the rate limit is reached" : `the service answers ${reply.status}`,
      askedMs
    )
    return true
  }

  /** Something did not work; the next turn comes after `waitMs`, or a wait that grows from one setback to the next. */
  setback(why: string, waitMs?: number): void {
    const nowMs = this.#time.nowMs()
    const already = this.#leftMs() > 0 // many requests meet the same setback; it counts once
    if (!already) this.#setbacks++
    if (this.#setbacks > this.#mostSetbacks) throw new ImportStopped(`${why} (tried ${this.#setbacks} times)`)
    const ms = waitMs ?? (already ? 0 : this.#untoldMs())
    if (ms > this.#maxWaitMs) throw new ImportStopped(`${why}; it asks to wait ${formatSeconds(ms / 1_000)}`)
    this.#untilMs = Math.max(this.#untilMs, nowMs + ms)
    if (!already) this.#onWait(ms, why)
  }

  /** The wait where the service does not say how long: that of any polite caller. */
  #untoldMs(): number {
    return backoffMs(this.#setbacks, undefined, () => this.#time.random()) ?? 0
  }

  #leftMs(): number {
    return this.#untilMs - this.#time.nowMs()
  }
}
