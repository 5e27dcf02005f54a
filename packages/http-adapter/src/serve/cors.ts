/** Lets pages of other origins call the service and read all it says, on every status (Fetch standard, §3.3). Off unless asked for. */
import type { Incoming, Reply } from "../exchange/Incoming.js"

export type Cors = {
  /** The same reply, with what lets the caller's page read it. */
  readonly opened: (incoming: Incoming, reply: Reply) => Reply
  /** Whether a request asks only whether another one may be sent: free, and answered for every path. */
  readonly isPreflight: (incoming: Incoming) => boolean
}

const EXPOSED = [
  "Allow",
  "Content-Encoding",
  "Deprecation",
  "ETag",
  "Idempotent-Replayed",
  "Link",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Sunset",
  "WWW-Authenticate",
  "X-API-Version",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Stability",
  "X-Total-Count"
].join(", ")

/**
 * What a page may send: the fields that the service reads, and those that tracers send together with
 * `Traceparent` (W3C Trace Context, W3C Baggage).
 */
const TAKEN = [
  "Accept",
  "Authorization",
  "Baggage",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "Last-Event-ID",
  "Traceparent",
  "Tracestate",
  "X-API-Key",
  "X-API-Version",
  "X-Request-Id",
  "X-Stability-Opt-In"
].join(", ")

/** For how long a browser need not ask again; most take no more than two hours. */
const MAX_AGE_SECONDS = "7200"

const PERMITTED = [
  "Access-Control-Allow-Methods",
  "GET, HEAD, POST, PUT, PATCH, DELETE",
  "Access-Control-Allow-Headers",
  TAKEN,
  "Access-Control-Max-Age",
  MAX_AGE_SECONDS
]

const ORIGIN = /^(?:https?:\/\/[a-z0-9.-]+(?::\d{1,5})?|https?:\/\/\[[0-9a-f:.]+\](?::\d{1,5})?|null|\*)$/

/** Throws for what no browser would send as its origin. */
export const makeCors = (asked: string | ReadonlyArray<string>): Cors | undefined => {
  const origins = typeof asked === "string" ? [asked] : asked
  if (origins.length === 0) return undefined
  for (const origin of origins) {
    if (!ORIGIN.test(origin)) {
      throw new Error(
        `cors: expected an origin such as https://shop.example, in lower case and without a path, or *, got ${JSON.stringify(origin)}`
      )
    }
  }
  const everyone = origins.includes("*")
  const known = new Set(origins)

  const isPreflight = (incoming: Incoming): boolean =>
    incoming.method === "OPTIONS" &&
    incoming.header("origin") !== undefined &&
    incoming.header("access-control-request-method") !== undefined

  return {
    isPreflight,
    opened: (incoming, reply) => (answer, delivered) => {
      const { headers } = answer
      if (!everyone) headers.push("Vary", "Origin")
      const origin = incoming.header("origin")
      if (origin !== undefined && (everyone || known.has(origin))) {
        headers.push("Access-Control-Allow-Origin", everyone ? "*" : origin)
        if (isPreflight(incoming)) headers.push(...PERMITTED)
        else headers.push("Access-Control-Expose-Headers", EXPOSED)
      }
      reply(answer, delivered)
    }
  }
}
