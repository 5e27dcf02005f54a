/** The responses of an operation: every status it can answer, with the fields and the codes of each. */
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from "../contract/ErrorStatus.js"
import { EVENT_STREAM_TYPE } from "../contract/events.js"
import { EXAMPLES, MEANINGS } from "./errorTexts.js"
import type { HeaderObject, Ref, ResponseObject, Schema } from "./Document.js"
import { STREAM_EXAMPLE } from "./recordTexts.js"
import { RESPONSE_HEADERS, type ResponseHeader } from "./headers.js"

/** A field of a response, and whether every response of that status has it. */
type Carried = readonly [name: ResponseHeader, required: boolean]

/** What every response of the API has (SPEC.md §8, and ours). */
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

const carried = (...names: ReadonlyArray<ResponseHeader>): ReadonlyArray<Carried> =>
  names.map((name) => [name, true])

/** Fields of an operation as such: of its lifecycle and its stability. */
export const noticeHeaders = (deprecated: boolean, marked: boolean): ReadonlyArray<Carried> =>
  carried(
    ...(deprecated ? (["Deprecation", "Sunset", "Link"] as const) : []),
    ...(marked ? (["X-Stability"] as const) : [])
  )

export const TAGGED = carried("ETag")
export const PLACED = carried("Location", "ETag")
export const REPLAYABLE: ReadonlyArray<Carried> = [["Idempotent-Replayed", false]]
export const PAGED: ReadonlyArray<Carried> = [
  ["Link", true],
  ["X-Total-Count", false]
]

const headerOf = (name: ResponseHeader, required: boolean): HeaderObject | Ref =>
  required === RESPONSE_HEADERS[name].required
    ? { $ref: `#/components/headers/${name}` }
    : { ...RESPONSE_HEADERS[name], required }

const headersOf = (fields: ReadonlyArray<Carried>): ResponseObject["headers"] =>
  Object.fromEntries(fields.map(([name, required]) => [name, headerOf(name, required)]))

export const success = (
  description: string,
  fields: ReadonlyArray<Carried>,
  schema?: Schema,
  links?: ResponseObject["links"]
): ResponseObject => ({
  description,
  headers: headersOf([...carried(...EVERYWHERE), ...fields]),
  ...(schema === undefined ? {} : { content: { "application/json": { schema } } }),
  ...(links === undefined || Object.keys(links).length === 0 ? {} : { links })
})

export const STREAMED = carried("X-Accel-Buffering")

/** A body without an end. OpenAPI 3.0 has no word for it; as others do, its schema is that of the data of one event. */
export const stream = (fields: ReadonlyArray<Carried>, event: Schema): ResponseObject => ({
  description: `Server-sent events, for as long as the caller reads. The schema is that of the \`data\` of each, one line of JSON:\n\n\`\`\`\n${STREAM_EXAMPLE}\`\`\``,
  headers: headersOf([...carried(...EVERYWHERE), ...fields]),
  content: { [EVENT_STREAM_TYPE]: { schema: event } }
})

/** Fields that errors of a status have besides. Where the authenticator itself has failed, the two of the draft are missing. */
const ofStatus = (status: number): ReadonlyArray<Carried> => {
  if (status === 401) return carried("WWW-Authenticate")
  if (status === 403) return [["Retry-After", false]]
  return status === 429 || status === 503 ? carried("Retry-After") : []
}

const alwaysOf = (status: number): ReadonlyArray<Carried> =>
  EVERYWHERE.map((name) => [name, status !== 500 || !name.startsWith("RateLimit")])

/** A request that can't be parsed is answered before its operation is known, so without what only an operation knows. */
const noticesOf = (status: number, notices: ReadonlyArray<Carried>): ReadonlyArray<Carried> =>
  status === 400 ? notices.map(([name]) => [name, false]) : notices

const errorSchema = (status: number, codes: ReadonlyArray<ErrorCode>): Schema => ({
  allOf: [
    { $ref: "#/components/schemas/Error" },
    {
      type: "object",
      properties: { code: { type: "string", enum: codes }, status: { type: "integer", enum: [status] } },
      required: ["code", "status"]
    }
  ]
})

const failure = (
  status: keyof typeof STATUS_TITLE,
  codes: ReadonlyArray<ErrorCode>,
  fields: ReadonlyArray<Carried>,
  problems: boolean
): ResponseObject => {
  const [first = "internal"] = codes
  const { message } = EXAMPLES[first]
  const example = { code: first, message, status }
  const problem = { type: "about:blank", title: STATUS_TITLE[status], detail: message, ...example }
  return {
    description: `${STATUS_TITLE[status]}. ${codes.map((code) => `\`${code}\`: ${MEANINGS[code]}`).join("; ")}.`,
    headers: headersOf(fields),
    content: {
      "application/json": { schema: errorSchema(status, codes), example },
      ...(problems
        ? {
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" }, example: problem }
          }
        : {})
    }
  }
}

/** One response for each status that these codes have, lowest first. */
export const failures = (
  codes: ReadonlyArray<ErrorCode>,
  notices: ReadonlyArray<Carried>
): Readonly<Record<string, ResponseObject>> => {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((left, right) => left - right)
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

/** What the transport answers by itself. */
export const transportFailures = (): Readonly<Record<string, ResponseObject>> => ({
  "408": failure(408, ["request_timeout"], alwaysOf(408), false),
  "431": failure(431, ["headers_too_large"], alwaysOf(431), false)
})
