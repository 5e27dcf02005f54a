/** The store as a function from a web `Request` to its `Response`: for Hono, Deno, Bun, workers, and tests without a port. */
import { addressOf } from "../fields/forwardedAddress.js"
import type { EventStream } from "../exchange/EventStream.js"
import type { Answer, OnDelivered } from "../exchange/Incoming.js"
import { makeService, type ServedStore } from "../serve/makeService.js"
import type { Identify, ServiceOptions } from "../exchange/Options.js"
import { streamBody } from "./streamBody.js"
import { WebIncoming } from "./WebIncoming.js"

/** How the store is served to `Request`s. */
export type WebHandlerOptions = ServiceOptions & {
  /** Where a request comes from; a `Request` does not say, so without this all callers without a key share one count. */
  readonly addressOf?: (request: Request) => string
  /** Whose request it is, where the host knows. */
  readonly identify?: Identify<Request>
}

const encoder = new TextEncoder()

const fieldsOf = ({ headers }: Answer): Headers => {
  const fields = new Headers()
  for (let at = 0; at + 1 < headers.length; at += 2) fields.append(headers[at] ?? "", headers[at + 1] ?? "")
  return fields
}

const streamed = (
  answer: Answer,
  stream: EventStream,
  { method, signal }: Request,
  delivered: OnDelivered | undefined
): Response => {
  const init = { status: answer.status, headers: fieldsOf(answer) }
  if (method !== "HEAD")
    return new Response(
      streamBody(stream, signal, (bytes) => delivered?.(bytes)),
      init
    )
  delivered?.(0)
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

/** A store as a function of web requests. */
export type WebHandler = {
  /** Never rejects, but for a request whose body can't be read to its end. */
  (request: Request): Promise<Response>
  /** Ends every event stream in order, for a server that is about to close: it would wait for them. Readers come back by themselves. */
  readonly endStreams: () => void
}

/**
 * The store as a function from a `Request` to a `Response`: for Hono, route handlers as Next has them, and tests, which need no port for
 * it.
 *
 * @example
 * const answer = await toWebHandler(store)(new Request("http://shop.test/pets", { headers: { "x-api-key": key } }))
 */
export const toWebHandler = (store: ServedStore, options: WebHandlerOptions = {}): WebHandler => {
  const service = makeService(store, options)
  const { trustProxy = 0 } = options
  const callerAddress = (request: Request): string =>
    addressOf(
      options.addressOf?.(request) ?? "unknown",
      request.headers.get("x-forwarded-for") ?? undefined,
      trustProxy
    )
  const handle = (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const incoming = new WebIncoming(request, callerAddress, options.identify, reject)
      service(incoming, (answer, delivered) => {
        if (answer.stream !== undefined) {
          return resolve(streamed(answer, answer.stream, request, delivered))
        }
        const response = responseOf(answer, request.method)
        resolve(response)
        delivered?.(request.method === "HEAD" ? 0 : Number(response.headers.get("content-length") ?? 0))
      })
    })
  return Object.assign(handle, { endStreams: service.endStreams })
}
