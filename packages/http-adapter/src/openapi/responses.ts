/** Describes the responses of an operation: for each status its header fields and error codes. */
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from "../contract/ErrorStatus.js"
import { EVENT_STREAM_TYPE } from "../contract/events.js"
import { EXAMPLES, MEANINGS } from "./errorTexts.js"
import type { HeaderObject, Ref, ResponseObject, Schema } from "./Document.js"
import { STREAM_EXAMPLE } from "./recordTexts.js"
import { RESPONSE_HEADERS, type ResponseHeader } from "./headers.js"

/** A header field, and whether every response of that status has it. */
type Header = readonly [name: ResponseHeader, required: boolean]

/** The header fields of every response (SPEC.md §8, and ours). */
const EVERYWHERE: ReadonlyArray<ResponseHeader> = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "X-API-Version",
  "X-Request-Id",
  "Cache-Control"
]

const required = (...names: ReadonlyArray<ResponseHeader>): ReadonlyArray<Header> =>
  names.map((name) => [name, true])

/** The header fields about the lifecycle and the stability of an operation. */
export const noticeHeaders = (deprecated: boolean, marked: boolean): ReadonlyArray<Header> =>
  required(
    ...(deprecated ? (["Deprecation", "Sunset", "Link"] as const) : []),
    ...(marked ? (["X-Stability"] as const) : [])
  )

export const RECORD_HEADERS = required("ETag")
export const CREATION_HEADERS = required("Location", "ETag")
export const REPLAY_HEADERS: ReadonlyArray<Header> = [["Idempotent-Replayed", false]]
export const PAGE_HEADERS: ReadonlyArray<Header> = [
  ["Link", true],
  ["X-Total-Count", false]
]

const headerOf = (name: ResponseHeader, isRequired: boolean): HeaderObject | Ref =>
  isRequired === RESPONSE_HEADERS[name].required
    ? { $ref: `#/components/headers/${name}` }
    : { ...RESPONSE_HEADERS[name], required: isRequired }

const headersOf = (fields: ReadonlyArray<Header>): ResponseObject["headers"] =>
  Object.fromEntries(fields.map(([name, isRequired]) => [name, headerOf(name, isRequired)]))

export const success = (
  description: string,
  fields: ReadonlyArray<Header>,
  schema?: Schema,
  links?: ResponseObject["links"]
): ResponseObject => ({
  description,
  headers: headersOf([...required(...EVERYWHERE), ...fields]),
  ...(schema === undefined ? {} : { content: { "application/json": { schema } } }),
  ...(links === undefined || Object.keys(links).length === 0 ? {} : { links })
})

export const STREAM_HEADERS = required("X-Accel-Buffering")

/**
 * OpenAPI 3.0 can't describe streams. By convention the schema is that of the data of one event.
 */
export const stream = (fields: ReadonlyArray<Header>, event: Schema): ResponseObject => ({
  description:
    "Server-sent events, for as long as the caller reads. The schema is that of the `data` " +
    `of each, one line of JSON:\n\n\`\`\`\n${STREAM_EXAMPLE}\`\`\``,
  headers: headersOf([...required(...EVERYWHERE), ...fields]),
  content: { [EVENT_STREAM_TYPE]: { schema: event } }
})

/** The further header fields of errors by status. */
const ofStatus = (status: number): ReadonlyArray<Header> => {
  if (status === 401) return required("WWW-Authenticate")
  if (status === 403) return [["Retry-After", false]]
  return status === 429 || status === 503 ? required("Retry-After") : []
}

/** Without the two fields of the draft where the authenticator itself may have failed. */
const alwaysOf = (status: number): ReadonlyArray<Header> =>
  EVERYWHERE.map((name) => [name, status !== 500 || !name.startsWith("RateLimit")])

/** A request that can't be parsed is answered without the fields of its operation. */
const noticesOf = (status: number, notices: ReadonlyArray<Header>): ReadonlyArray<Header> =>
  status === 400 ? notices.map(([name]) => [name, false]) : notices

const errorSchema = (status: number, codes: ReadonlyArray<ErrorCode>): Schema => ({
  allOf: [
    { $ref: "#/components/schemas/Error" },
    {
      type: "object",
      properties: {
        code: { type: "string", enum: codes },
        status: { type: "integer", enum: [status] }
      },
      required: ["code", "status"]
    }
  ]
})

const failure = (
  status: keyof typeof STATUS_TITLE,
  codes: ReadonlyArray<ErrorCode>,
  fields: ReadonlyArray<Header>,
  problems: boolean
): ResponseObject => {
  const [first = "internal"] = codes
  const { message } = EXAMPLES[first]
  const example = { code: first, message, status }
  const problem = { type: "about:blank", title: STATUS_TITLE[status], detail: message, ...example }
  const meanings = codes.map((code) => `\`${code}\`: ${MEANINGS[code]}`).join("; ")
  return {
    description: `${STATUS_TITLE[status]}. ${meanings}.`,
    headers: headersOf(fields),
    content: {
      "application/json": { schema: errorSchema(status, codes), example },
      ...(problems
        ? {
            "application/problem+json": {
              schema: { $ref: "#/components/schemas/Problem" },
              example: problem
            }
          }
        : {})
    }
  }
}

/** One response for each status of these codes, lowest first. */
export const failures = (
  codes: ReadonlyArray<ErrorCode>,
  notices: ReadonlyArray<Header>
): Readonly<Record<string, ResponseObject>> => {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort(
    (left, right) => left - right
  )
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      failure(
        status,
        codes.filter((code) => ERROR_STATUS[code] === status),
        [...alwaysOf(status), ...ofStatus(status), ...noticesOf(status, notices)],
        true
      )
    ])
  )
}

/** The errors that the transport answers by itself. */
export const transportFailures = (): Readonly<Record<string, ResponseObject>> => ({
  "408": failure(408, ["request_timeout"], alwaysOf(408), false),
  "431": failure(431, ["headers_too_large"], alwaysOf(431), false)
})
