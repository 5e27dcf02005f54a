/** Lets pages of other origins call the service and read its answers (Fetch standard, §3.3). */
import type { Incoming, Reply } from "../exchange/Incoming.js"

type Cors = {
  /** Adds the fields that let the caller's page read the answer. */
  readonly withCors: (incoming: Incoming, reply: Reply) => Reply
  /**
   * Whether a request asks if another one may be sent. Answered for every path, and not counted.
   */
  readonly isPreflight: (incoming: Incoming) => boolean
}

const RESPONSE_FIELDS = [
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
 * The fields that a page may send: those that the service reads, and those that tracers send with
 * `Traceparent` (W3C Trace Context, W3C Baggage).
 */
const REQUEST_FIELDS = [
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

/** How long a browser may cache the answer. Most use no more than two hours. */
const MAX_AGE_SECONDS = "7200"

const PREFLIGHT = [
  "Access-Control-Allow-Methods",
  "GET, HEAD, POST, PUT, PATCH, DELETE",
  "Access-Control-Allow-Headers",
  REQUEST_FIELDS,
  "Access-Control-Max-Age",
  MAX_AGE_SECONDS
]

const ORIGIN =
  /^(?:https?:\/\/[a-z0-9.-]+(?::\d{1,5})?|https?:\/\/\[[0-9a-f:.]+\](?::\d{1,5})?|null|\*)$/

/** Throws for a text that no browser sends as its origin. */
export const makeCors = (option: string | ReadonlyArray<string>): Cors | undefined => {
  const origins = typeof option === "string" ? [option] : option
  if (origins.length === 0) return undefined
  for (const origin of origins) {
    if (!ORIGIN.test(origin)) {
      throw new Error(
        "cors: expected an origin such as https://shop.example, in lower case and without a " +
          `path, or *, got ${JSON.stringify(origin)}`
      )
    }
  }
  const everyone = origins.includes("*")
  const allowed = new Set(origins)

  const isPreflight = (incoming: Incoming): boolean =>
    incoming.method === "OPTIONS" &&
    incoming.header("origin") !== undefined &&
    incoming.header("access-control-request-method") !== undefined

  return {
    isPreflight,
    withCors: (incoming, reply) => (answer, onDelivered) => {
      const { headers } = answer
      if (!everyone) headers.push("Vary", "Origin")
      const origin = incoming.header("origin")
      if (origin !== undefined && (everyone || allowed.has(origin))) {
        headers.push("Access-Control-Allow-Origin", everyone ? "*" : origin)
        if (isPreflight(incoming)) headers.push(...PREFLIGHT)
        else headers.push("Access-Control-Expose-Headers", RESPONSE_FIELDS)
      }
      reply(answer, onDelivered)
    }
  }
}
