/** How a client reaches the service: a function from a call to its answer. Knows no keys, no retries, no records. */
import { clearTimeout, setTimeout } from "../timers.js"

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

/** Rejects where no answer came: then nothing is known of what became of the call. */
export type Transport = (call: ClientCall) => Promise<ClientAnswer>

const withoutSlash = (url: string): string => (url.endsWith("/") ? url.slice(0, -1) : url)

const answerOf = async (response: Response): Promise<ClientAnswer> => {
  const { status, headers, body } = response
  const header = (name: string) => headers.get(name)
  return body !== null && headers.get("content-type")?.startsWith("text/event-stream") === true
    ? { status, header, text: "", pieces: piecesOf(body) }
    : { status, header, text: await response.text() }
}

/** The text of a stream as it comes. */
export async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

/** How `fetchTransport` sends. */
export type FetchOptions = {
  /** The platform's `fetch` unless given. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** For how long to wait for an answer, or for the beginning of a stream; 30 s unless given. */
  readonly timeoutMs?: number
}

/** Calls a service at this URL, base path included. */
export const fetchTransport =
  (url: string, { fetch = globalThis.fetch, timeoutMs = 30_000 }: FetchOptions = {}): Transport =>
  async ({ method, target, headers, body, signal }) => {
    const late = new AbortController()
    const timer = setTimeout(
      () => late.abort(new DOMException("no answer in time", "TimeoutError")),
      timeoutMs
    )
    try {
      const response = await fetch(`${withoutSlash(url)}${target}`, {
        method,
        headers: { ...headers },
        signal: signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]),
        ...(body === undefined ? {} : { body })
      })
      return await answerOf(response)
    } finally {
      clearTimeout(timer)
    }
  }

/** Calls a web handler, such as `toWebHandler(store)`. Its base path, if it has one, is part of `url`. */
export const webTransport =
  (handler: (request: Request) => Promise<Response>, url = "http://petstore.invalid"): Transport =>
  async ({ method, target, headers, body, signal }) =>
    answerOf(
      await handler(
        new Request(`${withoutSlash(url)}${target}`, {
          method,
          headers: { ...headers },
          ...(signal === undefined ? {} : { signal }),
          ...(body === undefined ? {} : { body })
        })
      )
    )
