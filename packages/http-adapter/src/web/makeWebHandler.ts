/** The store as a function from a web `Request` to its `Response`. */
import type { DocsPage } from "../docs/DocsPage.js"
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

/**
 * The fields as a record, which every runtime puts into a response at once; a `Headers` takes
 * longer, and some servers would only read it back. Values of one name are joined (RFC 9110 §5.3).
 */
const fieldsOf = ({ headers }: Answer): Record<string, string> => {
  const fields: Record<string, string> = {}
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ""
    const value = headers[at + 1] ?? ""
    const before = fields[name]
    fields[name] = before === undefined ? value : `${before}, ${value}`
  }
  return fields
}

const streamResponse = (
  answer: Answer,
  stream: EventStream,
  request: Request,
  onDelivered: OnDelivered | undefined
): Response => {
  const init = { status: answer.status, headers: fieldsOf(answer) }
  if (request.method !== "HEAD")
    return new Response(
      streamBody(stream, request.signal, (bytes) => onDelivered?.(bytes)),
      init
    )
  onDelivered?.(0)
  return new Response(null, init)
}

/** A body stays a string: servers write strings, and know their length, faster than bytes. */
const responseOf = (
  answer: Answer,
  method: string,
  onDelivered: OnDelivered | undefined
): Response => {
  const { status, body } = answer
  const headers = fieldsOf(answer)
  const length = body === null ? 0 : encoder.encode(body).byteLength
  if (body !== null) headers["Content-Length"] = String(length)
  const isSent = length > 0 && method !== "HEAD"
  onDelivered?.(isSent ? length : 0)
  return new Response(isSent ? body : null, { status, headers })
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

/** The handler, with what it answers for `/docs`. */
export const makeWebHandler = (
  store: ServedStore,
  page: DocsPage,
  options: WebHandlerOptions
): WebHandler => {
  const service = makeService(store, page, options)
  const { identify } = options
  const addressOf = callerAddress(options)
  const handle = (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const incoming = new WebIncoming(request, addressOf, identify, reject)
      service(incoming, (answer, onDelivered) =>
        resolve(
          answer.stream === undefined
            ? responseOf(answer, request.method, onDelivered)
            : streamResponse(answer, answer.stream, request, onDelivered)
        )
      )
    })
  return Object.assign(handle, { endStreams: service.endStreams })
}

/** Returns the address of a caller, behind the trusted proxies. */
const callerAddress = ({
  addressOf = () => "unknown",
  trustProxy = 0
}: WebHandlerOptions): ((request: Request) => string) =>
  trustProxy === 0
    ? addressOf
    : (request) =>
        forwardedAddress(
          addressOf(request),
          request.headers.get("x-forwarded-for") ?? undefined,
          trustProxy
        )
