/** The store as a function from a web `Request` to its `Response`: for Hono, Deno, Bun, workers, and tests without a port. */
import { addressOf } from "../serve/Address.js"
import type { Answer } from "../serve/Incoming.js"
import { makeService, type ServedStore } from "../serve/makeService.js"
import type { Identify, ServiceOptions } from "../serve/Options.js"
import { WebIncoming } from "./WebIncoming.js"

/** How the store is served to `Request`s. */
export type WebHandlerOptions = ServiceOptions & {
  /** Where a request comes from; a `Request` does not say, so without this all callers without a key share one count. */
  readonly addressOf?: (request: Request) => string
  /** Whose request it is, where the host knows. */
  readonly identify?: Identify<Request>
}

const encoder = new TextEncoder()

const responseOf = ({ status, headers, body }: Answer, method: string): Response => {
  const fields = new Headers()
  for (let at = 0; at + 1 < headers.length; at += 2) fields.append(headers[at] ?? "", headers[at + 1] ?? "")
  if (body === null) return new Response(null, { status, headers: fields })
  const bytes = encoder.encode(body)
  fields.set("Content-Length", String(bytes.byteLength))
  return new Response(method === "HEAD" ? null : bytes, { status, headers: fields })
}

/** Never rejects, but for a request whose body can't be read to its end. */
export const toWebHandler = (
  store: ServedStore,
  options: WebHandlerOptions = {}
): ((request: Request) => Promise<Response>) => {
  const service = makeService(store, options)
  const { trustProxy = 0 } = options
  return (request) =>
    new Promise((resolve, reject) => {
      const socketAddress = options.addressOf?.(request) ?? "unknown"
      const address = addressOf(
        socketAddress,
        request.headers.get("x-forwarded-for") ?? undefined,
        trustProxy
      )
      service(new WebIncoming(request, address, options.identify, reject), (answer, delivered) => {
        const response = responseOf(answer, request.method)
        resolve(response)
        delivered?.(request.method === "HEAD" ? 0 : Number(response.headers.get("content-length") ?? 0))
      })
    })
}
