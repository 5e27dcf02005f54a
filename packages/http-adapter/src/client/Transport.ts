/** The port by which a client reaches the service: a function from a call to its answer. */

/** A call as a transport sends it. */
export type ClientCall = {
  readonly method: string
  /** Path and query, below the base path. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Ends the call, also while it streams. */
  readonly signal?: AbortSignal
}

/** An answer as a transport gives it. */
export type ClientAnswer = {
  readonly status: number
  /** The value of a field by its name in lower case; null where it is missing. */
  readonly header: (name: string) => string | null
  /** Empty where the answer is a stream. */
  readonly text: string
  /**
   * The text of an event stream as it arrives. Abort the signal of the call to leave it before its
   * end.
   */
  readonly chunks?: AsyncIterable<string>
}

/**
 * Rejects where no answer came: then the call may or may not have taken effect. Resolves with a
 * redirect (3xx) without following it.
 */
export type Transport = (call: ClientCall) => Promise<ClientAnswer>
