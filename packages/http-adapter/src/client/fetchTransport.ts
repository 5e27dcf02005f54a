/** Transports over `fetch` and over a web handler. */
import { clearTimeout, setTimeout } from "../timers.js"
import { abortWithAny } from "./CallAbort.js"
import { UnexpectedAnswer } from "./PetStoreError.js"
import type { ClientAnswer, ClientCall, Transport } from "./Transport.js"

const withoutSlash = (url: string): string => (url.endsWith("/") ? url.slice(0, -1) : url)

/** The text of a stream as it arrives. Calls `onEnd` once no more of it is read. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void = () => undefined
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    onEnd()
  }
}

/**
 * Sends a call and reads its answer. Follows no redirect: it would send the key along and turn a
 * POST into a GET.
 */
const exchange = async (
  url: string,
  { method, target, headers, body, signal }: ClientCall,
  send: (url: string, init: RequestInit) => Promise<Response>,
  timeoutMs?: number
): Promise<ClientAnswer> => {
  const callAbort = abortWithAny([signal])
  const onTimeout = () => callAbort.abort(new DOMException("no answer in time", "TimeoutError"))
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs)
  let isStream = false
  try {
    const response = await send(`${withoutSlash(url)}${target}`, {
      method,
      headers: { ...headers },
      redirect: "manual",
      signal: callAbort.signal,
      ...(body === undefined ? {} : { body })
    })
    if (response.redirected) throw new UnexpectedAnswer(response.status, { location: response.url })
    const { status } = response
    const header = (name: string) => response.headers.get(name)
    if (response.body === null || header("content-type")?.startsWith("text/event-stream") !== true)
      return { status, header, text: await response.text() }
    isStream = true
    const onEnd = () => {
      callAbort.forget()
      callAbort.abort(new DOMException("the stream was left", "AbortError"))
    }
    return { status, header, text: "", chunks: chunksOf(response.body, onEnd) }
  } finally {
    clearTimeout(timer)
    if (!isStream) callAbort.forget()
  }
}

/** How `fetchTransport` sends. */
export type FetchOptions = {
  /** The platform's `fetch` unless given. Called with `redirect: "manual"`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** How long to wait for an answer, or for the start of a stream; 30 s unless given. */
  readonly timeoutMs?: number
}

/** Calls a service at this URL, base path included. */
export const fetchTransport =
  (url: string, { fetch = globalThis.fetch, timeoutMs = 30_000 }: FetchOptions = {}): Transport =>
  (call) =>
    exchange(url, call, fetch, timeoutMs)

/**
 * Calls a web handler, such as `toWebHandler(store)`. Its base path, if it has one, is part of
 * `url`.
 */
export const webTransport =
  (handler: (request: Request) => Promise<Response>, url = "http://petstore.invalid"): Transport =>
  (call) =>
    exchange(url, call, (target, init) => handler(new Request(target, init)))
