/** Sends a call until it is answered: tries again when it is told to come back later, and never before. */
import { type BackoffPolicy, backoffMs, DEFAULT_BACKOFF, onAbort } from "@petstore/core"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import { clearTimeout, setTimeout } from "../timers.js"
import { endOfAny } from "./CallEnd.js"
import { endOf } from "./withIdleTimeout.js"
import { NoAnswer, PetStoreError, UnexpectedAnswer } from "./PetStoreError.js"
import { failureOf } from "./readAnswer.js"
import type { ClientAnswer, ClientCall, Transport } from "./Transport.js"

/** How a client calls, and how patient it is. */
export type ClientOptions = {
  readonly transport: Transport
  /** The API key. */
  readonly key: string
  /** How often to try at most, the first time included; 5 unless given. */
  readonly tries?: number
  /** How long to wait between tries; whoever is told to wait for longer than `patienceMs` is refused instead. */
  readonly backoff?: Partial<BackoffPolicy>
  /**
   * Sends changes again that got no answer, with the same idempotency key, so that they are made once; yes unless given. Not
   * for services that keep no record of such keys.
   */
  readonly resendChanges?: boolean
  /** Called before each wait. */
  readonly onRetry?: (retry: {
    readonly waitMs: number
    readonly attempt: number
    readonly code: ErrorCode | undefined
  }) => void
  /** Waits, and need not wait any longer once the signal aborts; the platform's timer unless given. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** From 0 up to 1; `Math.random` unless given. */
  readonly random?: () => number
  /** Milliseconds since 1970, for a `Retry-After` that is a date; `Date.now` unless given. */
  readonly nowMs?: () => number
  /** Makes an idempotency key; a random UUID unless given. */
  readonly idempotencyKey?: () => string
}

/** Why a call has no answer of its operation's. */
export type Failure = PetStoreError | UnexpectedAnswer | NoAnswer

/** Whether an answer, the service's or a gateway's, asks to come back later. */
const asksToRetryLater = (failure: Failure): boolean =>
  !(failure instanceof NoAnswer) && (failure.status === 429 || failure.status === 503)

/** After how many seconds the answer asks to come back. */
export const retryAfterSecondsOf = (failure: Failure | undefined): number | undefined =>
  failure === undefined || failure instanceof NoAnswer ? undefined : failure.retryAfterSeconds

/** Why a transport gave no answer. */
export const transportFailure = (cause: unknown): UnexpectedAnswer | NoAnswer =>
  cause instanceof UnexpectedAnswer ? cause : new NoAnswer(cause)

/**
 * Resolves with an answer whose status is below 400. Rejects with `PetStoreError`,
 * `UnexpectedAnswer` or `NoAnswer` once another try is of no use or there were enough of them, and
 * with the reason of a signal as soon as it aborts.
 */
export const retry = (
  options: ClientOptions,
  signals: ReadonlyArray<AbortSignal>
): ((call: ClientCall) => Promise<ClientAnswer>) => {
  const { transport, key, tries = 5, resendChanges = true, onRetry, random = Math.random } = options
  const { nowMs = Date.now, sleep = sleepForReal } = options
  const { idempotencyKey = () => globalThis.crypto.randomUUID() } = options
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff }

  /** One try: the answer, or why there is none. */
  const attempt = async (call: ClientCall): Promise<ClientAnswer | Failure> => {
    try {
      const answer = await transport(call)
      return answer.status < 400 ? answer : failureOf(answer, nowMs())
    } catch (cause) {
      return transportFailure(cause)
    }
  }

  /** Whether trying the same again later may help, and does no harm: a refusal for now has changed nothing. */
  const mayRetry = (failure: Failure, method: string): boolean =>
    failure instanceof NoAnswer ? method === "GET" || resendChanges : asksToRetryLater(failure)

  return async (call) => {
    const headers: Record<string, string> = {
      ...call.headers,
      "x-api-key": key,
      "x-api-version": "1",
      accept: "application/json"
    }
    if (call.method !== "GET") headers["idempotency-key"] = idempotencyKey()
    const end = signals.length === 0 ? undefined : endOfAny(signals)
    const signal = end?.signal
    const whole = { ...call, headers, ...(signal === undefined ? {} : { signal }) }
    const ended = endOf(signal)
    try {
      for (let tried = 1; ; tried++) {
        signal?.throwIfAborted()
        const outcome = await Promise.race([attempt(whole), ended.promise])
        if (!(outcome instanceof Error)) return outcome
        if (outcome instanceof NoAnswer) signal?.throwIfAborted()
        if (tried >= tries || !mayRetry(outcome, call.method)) throw outcome
        const waitMs = backoffMs(tried, retryAfterSecondsOf(outcome), random, backoff)
        if (waitMs === undefined) throw outcome
        const code = outcome instanceof PetStoreError ? outcome.code : undefined
        onRetry?.({ waitMs, attempt: tried, code })
        await Promise.race([sleep(waitMs, signal), ended.promise])
      }
    } finally {
      ended.forget()
      end?.forget()
    }
  }
}

/** Ends early, and leaves no timer behind, when the signal aborts. */
export const sleepForReal = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    let forget = () => undefined as void
    const wake = () => {
      clearTimeout(timer)
      forget()
      resolve()
    }
    const timer = setTimeout(wake, ms)
    if (signal !== undefined) forget = onAbort(signal, wake)
  })
