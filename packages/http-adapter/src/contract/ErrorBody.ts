/** The error payload (SPEC.md §7) and the codes that an operation can answer. */
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { brief, briefValue, Text } from "./brief.js"
import { ERROR_STATUS, type ErrorCode } from "./ErrorStatus.js"

/** The payload of every error. */
export const ErrorBody = Schema.Struct({
  code: Text,
  message: Text,
  status: Schema.Int.annotations(briefValue("a whole number"))
}).annotations({ identifier: "Error", ...brief("an error") })
export type ErrorBody = {
  readonly code: ErrorCode
  readonly message: string
  readonly status: number
}

/** Annotation of an operation: the codes that it can answer. */
export class ErrorCodes extends Context.Tag("@petstore/http-adapter/ErrorCodes")<
  ErrorCodes,
  ReadonlyArray<ErrorCode>
>() {}

/** The codes of every operation. */
const ANYWHERE = [
  "malformed_request",
  "invalid_parameter",
  "unknown_parameter",
  "unsupported_version",
  "missing_key",
  "invalid_key",
  "expired_key",
  "revoked_key",
  "key_banned",
  "key_disabled",
  "rate_limited",
  "not_acceptable",
  "uri_too_long",
  "internal",
  "unavailable",
  "shutting_down"
] as const satisfies ReadonlyArray<ErrorCode>

/** The further codes of every operation with a body. */
export const OF_BODIES = [
  "invalid_json",
  "body_too_large",
  "unsupported_media_type",
  "validation_failed",
  "idempotency_mismatch",
  "storage_full"
] as const satisfies ReadonlyArray<ErrorCode>

/** The further codes of every operation that removes a record. */
export const OF_REMOVALS = [
  "precondition_failed",
  "idempotency_mismatch",
  "storage_full"
] as const satisfies ReadonlyArray<ErrorCode>

/** The error payload of each code. The code decides the status. */
type ErrorOf<Code extends ErrorCode> = Code extends ErrorCode
  ? { readonly code: Code; readonly message: string; readonly status: (typeof ERROR_STATUS)[Code] }
  : never

const makeErrorSchema = (status: number, codes: ReadonlyArray<ErrorCode>) =>
  Schema.Struct({
    code: Schema.Literal(...codes).annotations(briefValue(codes.join(", "))),
    message: Text,
    status: Schema.Literal(status).annotations(briefValue(String(status)))
  }).annotations(HttpApiSchema.annotations({ status, ...brief("an error") }))

/** By status and codes. Operations share most of them, which makes a server start faster. */
const errorSchemas = new Map<string, ReturnType<typeof makeErrorSchema>>()

const errorSchema = (status: number, codes: ReadonlyArray<ErrorCode>) => {
  const name = `${status} ${codes.join(" ")}`
  const schema = errorSchemas.get(name) ?? makeErrorSchema(status, codes)
  errorSchemas.set(name, schema)
  return schema
}

/** The error payloads of these codes, with one schema for each status. */
const errorsOf = <Code extends ErrorCode>(
  codes: ReadonlyArray<Code>
): Schema.Schema<ErrorOf<Code>> =>
  Schema.Union(
    ...[...new Set(codes.map((code) => ERROR_STATUS[code]))].map((status) =>
      errorSchema(
        status,
        codes.filter((code) => ERROR_STATUS[code] === status)
      )
    )
  ) as unknown as Schema.Schema<ErrorOf<Code>>

/** Declares the codes that an operation can answer besides {@link ANYWHERE}. */
export const failingWith =
  <Code extends ErrorCode = never>(...codes: ReadonlyArray<Code>) =>
  <
    Name extends string,
    Method extends HttpMethod,
    Path,
    UrlParams,
    Payload,
    Headers,
    Success,
    Error,
    R,
    RE
  >(
    endpoint: HttpApiEndpoint.HttpApiEndpoint<
      Name,
      Method,
      Path,
      UrlParams,
      Payload,
      Headers,
      Success,
      Error,
      R,
      RE
    >
  ) => {
    const all: ReadonlyArray<(typeof ANYWHERE)[number] | Code> = [...ANYWHERE, ...codes]
    return endpoint.addError(errorsOf(all)).annotate(ErrorCodes, all)
  }
