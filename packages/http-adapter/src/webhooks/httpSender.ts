/** Sends messages with node:http and node:https. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import { type AttemptResult, urlProblem } from "@petstore/core/adapter"
import { clearTimeout, setTimeout } from "../timers.js"
import { retryAfterMs } from "../fields/retryAfter.js"
import { ForbiddenAddress, publicLookup } from "./publicLookup.js"
import type { OutgoingMessage, WebhookSender } from "./WebhookSender.js"

/** The excerpt of a failed answer that goes into the log. */
const EXCERPT_BYTES = 2_048

/** The rest of an answer that is discarded to keep its connection alive. */
const DRAINED_BYTES = 65_536

/** How long the rest of an answer may take once its status is known. */
const REST_MS = 2_000

/** Closes a connection that was idle for this time. */
const IDLE_MS = 10_000

/** How messages are sent. */
export type HttpSenderOptions = {
  /** Milliseconds since 1970, for `Retry-After` fields that are dates. */
  readonly nowMs: () => number
  /** Resolves names to public addresses; the system's resolver unless given. */
  readonly lookup?: LookupFunction
}

/**
 * Sends messages with node:http and node:https. It never connects to an address that the rules
 * forbid, whatever a name resolves to.
 */
export const httpSender = ({
  nowMs,
  lookup = publicLookup()
}: HttpSenderOptions): WebhookSender => {
  const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 16 }
  // Separate agents: a message that may not reach private addresses reuses no connection to one.
  const agents = {
    guarded: { http: new HttpAgent(options), https: new HttpsAgent(options) },
    open: { http: new HttpAgent(options), https: new HttpsAgent(options) }
  }

  const connect = ({ url, headers, body, rules }: OutgoingMessage, signal: AbortSignal) => {
    const target = new URL(url)
    const isPlain = target.protocol === "http:"
    const { http, https } = rules.allowPrivateAddresses ? agents.open : agents.guarded
    return (isPlain ? httpRequest : httpsRequest)(target, {
      method: "POST",
      agent: isPlain ? http : https,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal,
      ...(rules.allowPrivateAddresses ? {} : { lookup })
    })
  }

  return {
    send: (message, signal) =>
      new Promise((resolve) => {
        // The lookup checks names; it is not called for an address.
        const problem = urlProblem(message.url, message.rules)
        if (problem !== undefined)
          return resolve({ problem: "forbidden", detail: `expected ${problem}` })
        const request = connect(message, signal)
        request.on("error", (cause) => resolve(failed(cause)))
        request.once("response", (response) => {
          const status = response.statusCode ?? 0
          const asked = retryAfterMs(response.headers["retry-after"], nowMs())
          const answer = (detail: string): AttemptResult => ({
            status,
            detail,
            ...(asked === undefined ? {} : { retryAfterMs: asked })
          })
          if (status >= 200 && status < 300) {
            drain(response)
            return resolve(answer(""))
          }
          return readStart(response, (start) => resolve(answer(start)))
        })
        request.end(message.body)
        return undefined
      }),
    close: () => {
      for (const { http, https } of Object.values(agents)) {
        http.destroy()
        https.destroy()
      }
    }
  }
}

/** Describes a failure without the address, which may be private. */
const failed = (cause: unknown): AttemptResult => {
  if (cause instanceof ForbiddenAddress) return { problem: "forbidden", detail: cause.message }
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "no connection"
  return { problem: "unreachable", detail: code }
}

/** Discards the rest of an answer, up to a number of bytes and for a limited time. */
const drain = (response: IncomingMessage): void => {
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), REST_MS).unref()
  response.on("error", () => undefined)
  response.once("close", () => clearTimeout(timer))
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DRAINED_BYTES) response.destroy()
  })
}

/** Reads the excerpt of an answer, as far as it arrives in time. */
const readStart = (response: IncomingMessage, done: (start: string) => void): void => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  const finish = () => {
    done(Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString("utf8"))
  }
  response.on("data", (chunk: Buffer) => {
    if (bytes < EXCERPT_BYTES) chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= EXCERPT_BYTES) finish()
  })
  response.once("end", finish)
  response.once("close", finish)
  drain(response)
}
