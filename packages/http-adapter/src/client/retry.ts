/** Retries calls: waits as long as the service asks for, and no shorter. */
import { type BackoffPolicy, backoffMs, DEFAULT_BACKOFF } from "@petstore/core"
import { onAbort } from "@petstore/core/adapter"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import { clearTimeout, setTimeout } from "../timers.js"
import { abortWithAny } from "./CallAbort.js"
import { NoAnswer, PetStoreError, UnexpectedAnswer } from "./PetStoreError.js"
import { failureOf } from "./readAnswer.js"
import type { ClientAnswer, ClientCall, Transport } from "./Transport.js"
import { rejectOnAbort } from "./withIdleTimeout.js"

/** How a client calls and retries. */
export type ClientOptions = {
  readonly transport: Transport
  /** The API key. */
  readonly key: string
  /** The most tries of a call, the first one included; 5 unless given. */
  readonly tries?: number
  /**
   * The waits between tries. A call that is asked to wait longer than `patienceMs` fails instead.
   */
  readonly backoff?: Partial<BackoffPolicy>
  /**
   * Retries changes that got no answer, with the same idempotency key, so that they are made once;
   * yes unless given. Set it to false for a service that ignores such keys.
   */
  readonly resendChanges?: boolean
  /** Called before each wait. */
  readonly onRetry?: (retry: {
    readonly waitMs: number
    readonly attempt: number
    readonly code: ErrorCode | undefined
  }) => void
  /** Waits, at most until the signal aborts; the platform's timer unless given. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** From 0 up to 1; `Math.random` unless given. */
  readonly random?: () => number
  /** Milliseconds since 1970, for a `Retry-After` that is a date; `Date.now` unless given. */
  readonly nowMs?: () => number
  /** Makes an idempotency key; a random UUID unless given. */
  readonly idempotencyKey?: () => string
}

/** Why a call failed. */
export type Failure = PetStoreError | UnexpectedAnswer | NoAnswer

/** Whether the service, or a gateway before it, asks to retry later. */
const asksToRetryLater = (failure: Failure): boolean =>
  !(failure instanceof NoAnswer) && (failure.status === 429 || failure.status === 503)

/** The wait in seconds that the answer asks for. */
export const retryAfterSecondsOf = (failure: Failure | undefined): number | undefined =>
  failure === undefined || failure instanceof NoAnswer ? undefined : failure.retryAfterSeconds

/** Why a transport gave no answer. */
export const transportFailure = (cause: unknown): UnexpectedAnswer | NoAnswer =>
  cause instanceof UnexpectedAnswer ? cause : new NoAnswer(cause)

/**
 * Resolves with an answer whose status is below 400. Rejects with `PetStoreError`,
 * `UnexpectedAnswer` or `NoAnswer` once a retry is of no use or there were enough tries, and with
 * the reason of a signal as soon as it aborts.
 */
export const retry = (
  options: ClientOptions,
  signals: ReadonlyArray<AbortSignal>
): ((call: ClientCall) => Promise<ClientAnswer>) => {
  const { transport, key, tries = 5, resendChanges = true, onRetry, random = Math.random } = options
  const { nowMs = Date.now, sleep = sleepByTimer } = options
  const { idempotencyKey = () => globalThis.crypto.randomUUID() } = options
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff }

  /** One try. */
  const attempt = async (call: ClientCall): Promise<ClientAnswer | Failure> => {
    try {
      const answer = await transport(call)
      return answer.status < 400 ? answer : failureOf(answer, nowMs())
    } catch (cause) {
      return transportFailure(cause)
    }
  }

  /** Whether a retry may help and is safe: a refused call has changed nothing. */
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
    const abort = signals.length === 0 ? undefined : abortWithAny(signals)
    const signal = abort?.signal
    const request = { ...call, headers, ...(signal === undefined ? {} : { signal }) }
    const rejection = rejectOnAbort(signal)
    try {
      for (let triesSoFar = 1; ; triesSoFar++) {
        signal?.throwIfAborted()
        const outcome = await Promise.race([attempt(request), rejection.promise])
        if (!(outcome instanceof Error)) return outcome
        if (outcome instanceof NoAnswer) signal?.throwIfAborted()
        if (triesSoFar >= tries || !mayRetry(outcome, call.method)) throw outcome
        const waitMs = backoffMs(triesSoFar, retryAfterSecondsOf(outcome), random, backoff)
        if (waitMs === undefined) throw outcome
        const code = outcome instanceof PetStoreError ? outcome.code : undefined
        onRetry?.({ waitMs, attempt: triesSoFar, code })
        await Promise.race([sleep(waitMs, signal), rejection.promise])
      }
    } finally {
      rejection.forget()
      abort?.forget()
    }
  }
}

/** Resolves early when the signal aborts, and leaves no timer behind. */
export const sleepByTimer = (ms: number, signal?: AbortSignal): Promise<void> =>
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
