/** One request, one reply, over connections that are kept open. Knows nothing of pets, limits or retries. */
import * as http from "node:http"
import * as https from "node:https"

export type Asking = {
  readonly method: "GET" | "POST"
  /** Path and query, after the service's URL. */
  readonly path: string
  readonly body?: unknown
  readonly idempotencyKey?: string
}

export type Reply = {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly link: string | undefined
  /** Where a redirect leads to, in full; none is followed, so that the key goes nowhere else. */
  readonly location?: string
  readonly body: string
}

/** No reply came. The service may or may not have done what was asked. */
export class NoReply extends Error {
  override readonly name = "NoReply"
}

export type Transport = {
  readonly send: (asking: Asking) => Promise<Reply>
  readonly close: () => void
}

const TIMEOUT_MS = 30_000
const MAX_REPLY_BYTES = 8_388_608

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the host's name could not be looked up",
  ECONNRESET: "the connection broke",
  ETIMEDOUT: "the host does not answer"
}

const noReply = (cause: Error): NoReply =>
  new NoReply(("code" in cause && CODES[String(cause.code)]) || cause.message || cause.name, { cause })

/** In full, and without a user and password that may be in it. */
const resolved = (location: string, from: string): string => {
  if (!URL.canParse(location, from)) return location
  const target = new URL(location, from)
  target.username = ""
  target.password = ""
  return target.href
}

/** `connections` is how many requests may be under way at once. The key goes into a header and nowhere else. */
export const httpTransport = (url: URL, key: string, connections: number): Transport => {
  const { Agent, request } = url.protocol === "https:" ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections })
  const base = url.pathname.replace(/\/$/, "")

  const send = ({ method, path, body, idempotencyKey }: Asking) =>
    new Promise<Reply>((resolve, reject) => {
      const failed = (cause: Error) => reject(noReply(cause))
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const outgoing = request({
        agent,
        method,
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port,
        path: base + path,
        timeout: TIMEOUT_MS,
        headers: {
          accept: "application/json",
          "x-api-key": key,
          "user-agent": "petstore-import",
          ...(bytes === undefined
            ? {}
            : { "content-type": "application/json", "content-length": bytes.length }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
        }
      })
      outgoing.on("error", failed)
      outgoing.on("timeout", () => outgoing.destroy(new Error(`no reply within ${TIMEOUT_MS / 1_000} s`)))
      outgoing.on("response", (incoming) => {
        const chunks: Array<Buffer> = []
        let size = 0
        incoming.on("data", (chunk: Buffer) => {
          size += chunk.length
          if (size > MAX_REPLY_BYTES) outgoing.destroy(new Error("the reply is too long"))
          else chunks.push(chunk)
        })
        incoming.on("error", failed)
        incoming.on("aborted", () => failed(new Error("the connection broke")))
        incoming.on("end", () => {
          const { statusCode = 0, headers } = incoming
          const { link, location } = headers
          resolve({
            status: statusCode,
            retryAfter: headers["retry-after"],
            link: Array.isArray(link) ? link.join(", ") : link,
            ...(location === undefined
              ? {}
              : { location: resolved(location, new URL(base + path, url).href) }),
            body: Buffer.concat(chunks).toString("utf8")
          })
        })
      })
      outgoing.end(bytes)
    })
  return { send, close: () => agent.destroy() }
}
