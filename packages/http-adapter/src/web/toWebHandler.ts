/**
 * The store as a function from a web `Request` to its `Response`: for Hono, Deno, Bun and tests.
 */
import { forwardedAddress } from "../fields/forwardedAddress.js"
import type { EventStream } from "../exchange/EventStream.js"
import type { Answer, OnDelivered } from "../exchange/Incoming.js"
import { makeService, type ServedStore } from "../serve/makeService.js"
import type { Identify, ServiceOptions } from "../exchange/Options.js"
import { streamBody } from "./streamBody.js"
import { WebIncoming } from "./WebIncoming.js"

/** How the store answers web requests. */
export type WebHandlerOptions = ServiceOptions & {
  /**
   * Returns the address of a caller, which a `Request` does not have. Without it all callers
   * without a key share one limit.
   */
  readonly addressOf?: (request: Request) => string
  /** Returns the account of a request, if the host identifies it. */
  readonly identify?: Identify<Request>
}

const encoder = new TextEncoder()

const fieldsOf = ({ headers }: Answer): Headers => {
  const fields = new Headers()
  for (let at = 0; at + 1 < headers.length; at += 2)
    fields.append(headers[at] ?? "", headers[at + 1] ?? "")
  return fields
}

const streamResponse = (
  answer: Answer,
  stream: EventStream,
  { method, signal }: Request,
  onDelivered: OnDelivered | undefined
): Response => {
  const init = { status: answer.status, headers: fieldsOf(answer) }
  if (method !== "HEAD")
    return new Response(
      streamBody(stream, signal, (bytes) => onDelivered?.(bytes)),
      init
    )
  onDelivered?.(0)
  return new Response(null, init)
}

const responseOf = (answer: Answer, method: string): Response => {
  const { status, body } = answer
  const fields = fieldsOf(answer)
  if (body === null) return new Response(null, { status, headers: fields })
  const bytes = encoder.encode(body)
  fields.set("Content-Length", String(bytes.byteLength))
  return new Response(method === "HEAD" ? null : bytes, { status, headers: fields })
}

/** A store as a function from web requests to responses. */
export type WebHandler = {
  /** Rejects only for a request whose body can't be read to its end. */
  (request: Request): Promise<Response>
  /**
   * Ends every event stream in order. Call it before the server closes, which would wait for them.
   * Readers reconnect by themselves.
   */
  readonly endStreams: () => void
}

/**
 * The store as a function from a `Request` to a `Response`: for Hono, route handlers of Next, and
 * tests without a port.
 *
 * @example
 * const headers = { "x-api-key": key }
 * const answer = await toWebHandler(store)(new Request("http://shop.test/pets", { headers }))
 */
export const toWebHandler = (store: ServedStore, options: WebHandlerOptions = {}): WebHandler => {
  const service = makeService(store, options)
  const { trustProxy = 0 } = options
  const callerAddress = (request: Request): string =>
    forwardedAddress(
      options.addressOf?.(request) ?? "unknown",
      request.headers.get("x-forwarded-for") ?? undefined,
      trustProxy
    )
  const handle = (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const incoming = new WebIncoming(request, callerAddress, options.identify, reject)
      service(incoming, (answer, onDelivered) => {
        if (answer.stream !== undefined) {
          return resolve(streamResponse(answer, answer.stream, request, onDelivered))
        }
        const response = responseOf(answer, request.method)
        resolve(response)
        onDelivered?.(
          request.method === "HEAD" ? 0 : Number(response.headers.get("content-length") ?? 0)
        )
      })
    })
  return Object.assign(handle, { endStreams: service.endStreams })
}
