/** How a message gets to its receiver: a port, so that tests need no network and a host may send through a proxy of its own. */
import type { AttemptResult, UrlRules } from "@petstore/core"

/** One message as it goes out, by POST. */
export type OutgoingMessage = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Where it may go: whoever connects looks at the address that it connects to. */
  readonly rules: UrlRules
}

/**
 * Sends once: follows no redirect, tries nothing again, and reads no more of the answer than it needs. Resolves with how it went,
 * whatever happened; stops when the signal is aborted.
 */
export type WebhookSender = {
  readonly send: (message: OutgoingMessage, signal: AbortSignal) => Promise<AttemptResult>
  /** Closes connections that are kept. */
  readonly close: () => void
}
