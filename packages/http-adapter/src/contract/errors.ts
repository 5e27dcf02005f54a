/** The errors that only HTTP has. Messages say what to do instead. */
import { echo } from "@petstore/core/adapter"
import * as Data from "effect/Data"
import type { ErrorCode } from "./ErrorStatus.js"

/** The members of every refusal, here and in core: a code for programs, a message for people. */
export type Refusal = { readonly code: ErrorCode; readonly message: string }

/** A query parameter that the operation does not have. */
export class UnknownParameter extends Data.TaggedError("UnknownParameter")<{
  readonly parameter: string
  readonly known: ReadonlyArray<string>
}> {
  readonly code = "unknown_parameter"
  override get message(): string {
    const expected =
      this.known.length === 0 ? "no parameters" : `only the parameters ${this.known.join(", ")}`
    return `${echo(this.parameter)} is not a parameter here: expected ${expected}`
  }
}

/** The body is not JSON as RFC 8259 writes it. */
export class InvalidJson extends Data.TaggedError("InvalidJson")<{ readonly fault: string }> {
  readonly code = "invalid_json"
  override get message(): string {
    return `the body is not valid JSON: ${this.fault}`
  }
}

/** The body, by its declared or its actual length, is larger than the service takes. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{
  readonly maxBodyBytes: number
}> {
  readonly code = "body_too_large"
  override get message(): string {
    return `the body is too large: expected at most ${this.maxBodyBytes} bytes`
  }
}

/** The body is not declared as JSON in UTF-8. */
export class UnsupportedMediaType extends Data.TaggedError("UnsupportedMediaType")<{
  readonly header: string
  readonly expected: string
  readonly got: string
}> {
  readonly code = "unsupported_media_type"
  override get message(): string {
    return `${this.header}: expected ${this.expected}, got ${this.got}`
  }
}

/** No operation has this path. */
export class RouteNotFound extends Data.TaggedError("RouteNotFound")<{}> {
  readonly code = "route_not_found"
  override get message(): string {
    return "there is nothing at this path: paths are case-sensitive and have no trailing slash"
  }
}

/** Operations have this path, but none with this method. */
export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed")<{
  readonly allow: string
}> {
  readonly code = "method_not_allowed"
  override get message(): string {
    return `this path has no such method: expected one of ${this.allow}`
  }
}

/** The request asks for another major version. */
export class UnsupportedVersion extends Data.TaggedError("UnsupportedVersion")<{
  readonly got: string
}> {
  readonly code = "unsupported_version"
  override get message(): string {
    return `X-API-Version: expected 1 or 1.x.y, got ${echo(this.got)}`
  }
}

/** The operation is experimental and the caller has not opted in. */
export class OptInRequired extends Data.TaggedError("OptInRequired")<{}> {
  readonly code = "stability_opt_in_required"
  override get message(): string {
    const header = "X-Stability-Opt-In: experimental"
    return `this operation is experimental: send ${header} to use it all the same`
  }
}

/** The operation is past its sunset, and the host enforces that. */
export class PastSunset extends Data.TaggedError("PastSunset")<{ readonly successor: string }> {
  readonly code = "sunset"
  override get message(): string {
    return `this operation has ended: use ${this.successor} instead`
  }
}

/** The service is about to stop. It finishes what it has begun. */
export class ShuttingDown extends Data.TaggedError("ShuttingDown")<{}> {
  readonly code = "shutting_down"
  override get message(): string {
    return "this service is about to stop: send the request again in a moment; nothing was done"
  }
}

/** The caller accepts no media type of the operation. */
export class NotAcceptable extends Data.TaggedError("NotAcceptable")<{
  readonly got: string
  readonly types: string
}> {
  readonly code = "not_acceptable"
  override get message(): string {
    return `Accept: expected ${this.types} or */* among it, got ${echo(this.got)}`
  }
}

/** The request target is longer than the service takes. */
export class TargetTooLong extends Data.TaggedError("TargetTooLong")<{
  readonly maxTargetBytes: number
}> {
  readonly code = "uri_too_long"
  override get message(): string {
    return `path and query are too long: expected at most ${this.maxTargetBytes} bytes`
  }
}

/** The host requires conditions on changes. */
export class PreconditionRequired extends Data.TaggedError("PreconditionRequired")<{}> {
  readonly code = "precondition_required"
  override get message(): string {
    const orNew = "If-None-Match: * to make one"
    return `If-Match is needed: send the ETag of the record as you know it, or ${orNew}`
  }
}

/** The caller's account has too many open streams. */
export class TooManyStreams extends Data.TaggedError("TooManyStreams")<{
  readonly maxStreamsPerAccount: number
  readonly retryAfterSeconds: number
}> {
  readonly code = "rate_limited"
  override get message(): string {
    const { maxStreamsPerAccount: count } = this
    return `${count} event streams of this account are open: close one of them first`
  }
}

/** The service has too many open streams. */
export class StreamsFull extends Data.TaggedError("StreamsFull")<{
  readonly retryAfterSeconds: number
}> {
  readonly code = "unavailable"
  override get message(): string {
    const wait = "retry after the time in Retry-After"
    return `there are as many event streams as this service keeps open: ${wait}`
  }
}

/** The request violates HTTP/1.1. */
export class MalformedRequest extends Data.TaggedError("MalformedRequest")<{
  readonly fault: string
}> {
  readonly code = "malformed_request"
  override get message(): string {
    return this.fault
  }
}

/** The id in a path is an int64 (SPEC.md §2) above 2^53 − 1, which no record has. */
export class NoSuchRecord extends Data.TaggedError("NoSuchRecord")<{
  readonly parameter: string
  readonly digits: string
}> {
  readonly code = "not_found"
  override get message(): string {
    return `there is no record with ${this.parameter} ${this.digits}`
  }
}

/** The messages of failures that are not the caller's. The cause goes to the host's `onError`. */
const OPAQUE = {
  internal: "something went wrong here; quote the X-Request-Id when you report it",
  unavailable: "the store is busy, or out of reach: retry after the time in Retry-After",
  storage_full: "the store has no room for this change"
} as const

/** A failure of the service as callers see it. */
export const opaque = <Code extends keyof typeof OPAQUE>(code: Code) => ({
  code,
  message: OPAQUE[code]
})

/** The messages for requests that the HTTP parser gives up on. */
const UNPARSED = {
  malformed_request: "this is not an HTTP/1.1 request",
  request_timeout: "the request took too long to arrive",
  headers_too_large: "the header fields of the request are too large"
} as const

export type UnparsedCode = keyof typeof UNPARSED

/** A request that the HTTP parser gives up on. */
export const unparsed = <Code extends UnparsedCode>(code: Code) => ({
  code,
  message: UNPARSED[code]
})
