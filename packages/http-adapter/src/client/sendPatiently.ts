/** Sends a call until it is answered: tries again when it is told to come back later, and never before. */
import { type BackoffPolicy, backoffMs, DEFAULT_BACKOFF } from "@petstore/core"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import { clearTimeout, setTimeout } from "../timers.js"
import { endOf } from "./heard.js"
import { NoAnswer, PetStoreError, type UnexpectedAnswer } from "./PetStoreError.js"
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
  /** Makes an idempotency key; a random UUID unless given. */
  readonly idempotencyKey?: () => string
}

/**
 * Rejects with `PetStoreError`, `UnexpectedAnswer` or `NoAnswer`, once trying again is of no use or has been done often enough; with the
 * reason of the signal, if there is one, as soon as it aborts.
 */
export const sendPatiently = (
  options: ClientOptions,
  signal?: AbortSignal
): ((call: ClientCall) => Promise<ClientAnswer>) => {
  const { transport, key, tries = 5, resendChanges = true, onRetry, random = Math.random } = options
  const { sleep = sleepForReal, idempotencyKey = () => globalThis.crypto.randomUUID() } = options
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff }

  /** One try: the answer, or why there is none. */
  const attempt = async (
    call: ClientCall
  ): Promise<ClientAnswer | PetStoreError | UnexpectedAnswer | NoAnswer> => {
    try {
      const answer = await transport(call)
      return answer.status < 400 ? answer : failureOf(answer)
    } catch (cause) {
      return new NoAnswer(cause)
    }
  }

  /** Whether trying the same again later may help, and does no harm: a refusal for now has changed nothing. */
  const mayRetry = (failure: PetStoreError | UnexpectedAnswer | NoAnswer, method: string): boolean => {
    if (failure instanceof PetStoreError) {
      const { status, code } = failure
      return status === 429 || status === 503 || code === "idempotency_in_progress"
    }
    return failure instanceof NoAnswer && (method === "GET" || resendChanges)
  }

  return async (call) => {
    const headers: Record<string, string> = {
      ...call.headers,
      "x-api-key": key,
      "x-api-version": "1",
      accept: "application/json"
    }
    if (call.method !== "GET") headers["idempotency-key"] = idempotencyKey()
    const whole = { ...call, headers, ...(signal === undefined ? {} : { signal }) }
    const ended = endOf(signal)
    try {
      for (let tried = 1; ; tried++) {
        signal?.throwIfAborted()
        const outcome = await Promise.race([attempt(whole), ended.promise])
        if (!(outcome instanceof Error)) return outcome
        if (outcome instanceof NoAnswer) signal?.throwIfAborted()
        if (tried >= tries || !mayRetry(outcome, call.method)) throw outcome
        const refusal = outcome instanceof PetStoreError ? outcome : undefined
        const waitMs = backoffMs(tried, refusal?.retryAfterSeconds, random, backoff)
        if (waitMs === undefined) throw outcome
        onRetry?.({ waitMs, attempt: tried, code: refusal?.code })
        await Promise.race([sleep(waitMs, signal), ended.promise])
      }
    } finally {
      ended.forget()
    }
  }
}

/** Ends early, and leaves no timer behind, when the signal aborts. */
export const sleepForReal = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal?.addEventListener("abort", wake)
  })
