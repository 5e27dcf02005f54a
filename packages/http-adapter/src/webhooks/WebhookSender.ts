/** The port that sends messages. A test needs no network, and a host may send through a proxy. */
import type { AttemptResult, UrlRules } from "@petstore/core/adapter"

/** One message as it goes out, by POST. */
export type OutgoingMessage = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The addresses that the sender may connect to. */
  readonly rules: UrlRules
}

/**
 * Sends once: follows no redirect, does not retry, and reads no more of the answer than it needs.
 * Always resolves with the result. Stops when the signal aborts.
 */
export type WebhookSender = {
  readonly send: (message: OutgoingMessage, signal: AbortSignal) => Promise<AttemptResult>
  /** Closes idle connections. */
  readonly close: () => void
}
