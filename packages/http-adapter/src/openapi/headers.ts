/** Describes the header fields of requests and responses. */
import { API_VERSION } from "../contract/PetStoreApi.js"
import type { HeaderObject, ParameterObject, Schema } from "./Document.js"

const integer = (minimum: number): Schema => ({ type: "integer", format: "int64", minimum })
const string: Schema = { type: "string" }

const header = (description: string, schema: Schema, example?: unknown): HeaderObject => ({
  description,
  required: true,
  schema,
  ...(example === undefined ? {} : { example })
})

/**
 * All fields of responses but those of the transport: Content-Type, Content-Length,
 * Content-Encoding, Vary, Date and Connection.
 */
export const RESPONSE_HEADERS = {
  "X-RateLimit-Limit": header("The request limit in force.", integer(0), 60),
  "X-RateLimit-Remaining": header("Requests remaining in the current window.", integer(0), 59),
  "X-RateLimit-Reset": header(
    "When the limit resets, as a Unix timestamp in seconds.",
    integer(0),
    1_796_083_200
  ),
  "RateLimit-Policy": header(
    "Both limits, by the IETF draft.",
    string,
    '"minute";q=60;w=60, "day";q=1000;w=86400'
  ),
  RateLimit: header(
    "The remaining requests of the tighter limit, by the IETF draft.",
    string,
    '"minute";r=59;t=30'
  ),
  "X-API-Version": header(
    "The version of the service.",
    { type: "string", enum: [API_VERSION] },
    API_VERSION
  ),
  "X-Request-Id": header(
    "The id of the request: as sent if well formed, else a new one.",
    { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
    "3f9x-1k"
  ),
  "Cache-Control": header(
    "The caller may cache successful responses and revalidate them with their tag. Errors " +
      "and streams must not be cached, and streams must not be compressed on the way.",
    { type: "string", enum: ["private, no-cache", "no-store", "no-store, no-transform"] },
    "no-store"
  ),
  "X-Accel-Buffering": header(
    "Asks proxies not to buffer the response.",
    { type: "string", enum: ["no"] },
    "no"
  ),
  ETag: header(
    "The record's tag, for `If-Match` and `If-None-Match`.",
    { type: "string", pattern: '^"[1-9][0-9]*-[1-9][0-9]*(-br|-gzip)?"$' },
    '"1-1"'
  ),
  Location: header(
    "The path of the record.",
    { type: "string", format: "uri-reference" },
    "/pets/1"
  ),
  Link: header("Links (RFC 8288).", string, '</pets>; rel="first"'),
  "X-Total-Count": {
    ...header("The number of records on all pages, with `total=true`.", integer(0), 3),
    required: false
  },
  "Idempotent-Replayed": {
    ...header("This is the response to an earlier request with the same `Idempotency-Key`.", {
      type: "string",
      enum: ["true"]
    }),
    required: false
  },
  "WWW-Authenticate": header("How to send a key.", string, 'Bearer realm="petstore"'),
  "Retry-After": header("The number of seconds to wait before a retry.", integer(1), 12),
  Deprecation: header(
    "The date from which the operation is deprecated (RFC 9745).",
    { type: "string", pattern: "^@[0-9]+$" },
    "@1796083200"
  ),
  Sunset: header("When the operation ends (RFC 8594).", string, "Wed, 01 Dec 2027 00:00:00 GMT"),
  "X-Stability": header(
    "The operation is not stable yet.",
    { type: "string", enum: ["beta", "experimental"] },
    "beta"
  )
} as const satisfies Readonly<Record<string, HeaderObject>>

export type ResponseHeader = keyof typeof RESPONSE_HEADERS

const OPT_IN_NEED = "Required unless the host enables it for all."

/**
 * Few have an example: the docs page would send it with every call, and a condition or an
 * idempotency key changes the answer.
 */
const parameter = (
  name: string,
  description: string,
  schema: Schema,
  example?: unknown
): ParameterObject => ({
  name,
  in: "header",
  description,
  required: false,
  schema,
  ...(example === undefined ? {} : { example })
})

/**
 * The fields of requests by their names as components: those that are refused if malformed, and
 * `Last-Event-ID`. `If-None-Match` and `X-Request-Id` are ignored if malformed; the introduction
 * describes them.
 */
export const REQUEST_HEADERS = {
  ApiVersion: parameter(
    "X-API-Version",
    "The version that the caller was written for. Minor and patch are ignored.",
    { type: "string", pattern: "^1(\\.[0-9]{1,9}){0,2}$" },
    API_VERSION
  ),
  IfMatch: parameter(
    "If-Match",
    "Makes the change only if the record has one of these tags, or with `*`, if there is a record.",
    {
      type: "string",
      pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$'
    }
  ),
  IdempotencyKey: parameter(
    "Idempotency-Key",
    "Makes a request safe to repeat: for 24 hours the same request with the same key gets " +
      "the same response, and does nothing more.",
    { type: "string", pattern: "^[!-~]{1,255}$" }
  ),
  LastEventId: parameter(
    "Last-Event-ID",
    "The id of the last event that was received: the stream resumes after it. An id that is " +
      "not valid here leads to `resync`.",
    string
  ),
  StabilityOptIn: parameter(
    "X-Stability-Opt-In",
    `That the caller knows the operation is experimental. ${OPT_IN_NEED}`,
    { type: "string", enum: ["experimental"] }
  )
} as const satisfies Readonly<Record<string, ParameterObject>>

export type RequestHeader = keyof typeof REQUEST_HEADERS
