/** How a client reaches the service: a function from a call to its answer. Knows no keys, no retries, no records. */

/** A call as a transport sends it. */
export type ClientCall = {
  readonly method: string
  /** Path and query, below the base path. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Ends the call, also while its answer goes on. */
  readonly signal?: AbortSignal
}

/** An answer as a transport gives it. */
export type ClientAnswer = {
  readonly status: number
  /** A field's value, by its name in lower case; null where it is missing. */
  readonly header: (name: string) => string | null
  /** Empty where the answer is a stream. */
  readonly text: string
  /** Of an answer that is a stream of events: its text as it comes. Left early, the call is to be ended by its signal. */
  readonly pieces?: AsyncIterable<string>
}

/**
 * Rejects where no answer came: then nothing is known of what became of the call. Follows no
 * redirect, and resolves with the 3xx instead.
 */
export type Transport = (call: ClientCall) => Promise<ClientAnswer>
