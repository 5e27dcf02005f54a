/** How a client reaches the service: a function from a call to its answer. Knows no keys, no retries, no records. */

export type ClientCall = {
  readonly method: string
  /** Path and query, below the base path. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** An answer as a transport gives it. */
export type ClientAnswer = {
  readonly status: number
  /** A field's value, by its name in lower case; null where it is missing. */
  readonly header: (name: string) => string | null
  readonly text: string
}

/** Rejects where no answer came: then nothing is known of what became of the call. */
export type Transport = (call: ClientCall) => Promise<ClientAnswer>

const withoutSlash = (url: string): string => (url.endsWith("/") ? url.slice(0, -1) : url)

const answerOf = async (response: Response): Promise<ClientAnswer> => ({
  status: response.status,
  header: (name) => response.headers.get(name),
  text: await response.text()
})

/** How `fetchTransport` sends. */
export type FetchOptions = {
  /** The platform's `fetch` unless given. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** For how long to wait for an answer; 30 s unless given. */
  readonly timeoutMs?: number
}

/** Calls a service at this URL, base path included. */
export const fetchTransport =
  (url: string, { fetch = globalThis.fetch, timeoutMs = 30_000 }: FetchOptions = {}): Transport =>
  async ({ method, target, headers, body }) =>
    answerOf(
      await fetch(`${withoutSlash(url)}${target}`, {
        method,
        headers: { ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body })
      })
    )

/** Calls a web handler, such as `toWebHandler(store)`. Its base path, if it has one, is part of `url`. */
export const webTransport =
  (handler: (request: Request) => Promise<Response>, url = "http://petstore.invalid"): Transport =>
  async ({ method, target, headers, body }) =>
    answerOf(
      await handler(
        new Request(`${withoutSlash(url)}${target}`, {
          method,
          headers: { ...headers },
          ...(body === undefined ? {} : { body })
        })
      )
    )
