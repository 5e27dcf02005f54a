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
    "Both limits, as the IETF draft has it.",
    string,
    '"minute";q=60;w=60, "day";q=1000;w=86400'
  ),
  RateLimit: header(
    "What is left of the nearer limit, as the IETF draft has it.",
    string,
    '"minute";r=59;t=30'
  ),
  "X-API-Version": header(
    "The version that answered.",
    { type: "string", enum: [API_VERSION] },
    API_VERSION
  ),
  "X-Request-Id": header(
    "Names the request: as sent if well formed, else made here.",
    { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
    "3f9x-1k"
  ),
  "Cache-Control": header(
    "Good answers may be kept by their caller and asked for again with their tag; errors may " +
      "not, and streams are not to be encoded on their way either.",
    { type: "string", enum: ["private, no-cache", "no-store", "no-store, no-transform"] },
    "no-store"
  ),
  "X-Accel-Buffering": header(
    "That a proxy passes on what comes as it comes.",
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
  Link: header("Links, as RFC 8288 has it.", string, '</pets>; rel="first"'),
  "X-Total-Count": {
    ...header("All records of the list, with `total=true`.", integer(0), 3),
    required: false
  },
  "Idempotent-Replayed": {
    ...header("That this is the answer to an earlier request with the same `Idempotency-Key`.", {
      type: "string",
      enum: ["true"]
    }),
    required: false
  },
  "WWW-Authenticate": header("How to present a key.", string, 'Bearer realm="petstore"'),
  "Retry-After": header("After how many seconds to try again.", integer(1), 12),
  Deprecation: header(
    "Since when the operation is deprecated (RFC 9745).",
    { type: "string", pattern: "^@[0-9]+$" },
    "@1796083200"
  ),
  Sunset: header("When the operation goes (RFC 8594).", string, "Wed, 01 Dec 2027 00:00:00 GMT"),
  "X-Stability": header(
    "That the operation is not stable yet.",
    { type: "string", enum: ["beta", "experimental"] },
    "beta"
  )
} as const satisfies Readonly<Record<string, HeaderObject>>

export type ResponseHeader = keyof typeof RESPONSE_HEADERS

const OPT_IN_NEED = "Needed unless the host has opened it to all."

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
    "The version the caller was written for; minor and patch make no difference.",
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
    "Names what is to be done once: for 24 hours the same request with the same key is " +
      "answered the same, and does nothing more.",
    { type: "string", pattern: "^[!-~]{1,255}$" }
  ),
  LastEventId: parameter(
    "Last-Event-ID",
    "The id of the last event seen: the stream goes on after it. An id that says nothing here " +
      "is answered with `resync`.",
    string
  ),
  StabilityOptIn: parameter(
    "X-Stability-Opt-In",
    `That the caller knows the operation is experimental. ${OPT_IN_NEED}`,
    { type: "string", enum: ["experimental"] }
  )
} as const satisfies Readonly<Record<string, ParameterObject>>

export type RequestHeader = keyof typeof REQUEST_HEADERS
