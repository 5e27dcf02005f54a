/** A request and its answer as the service sees them, whatever the transport. */
import type { MaybePromise } from "@petstore/core/adapter"
import type { BodyAlreadyRead } from "./BodyAlreadyRead.js"
import type { EventStream } from "./EventStream.js"

/** The header fields that the service reads, in lower case. */
export type HeaderName =
  | "accept"
  | "accept-encoding"
  | "access-control-request-method"
  | "authorization"
  | "content-encoding"
  | "content-type"
  | "idempotency-key"
  | "if-match"
  | "if-none-match"
  | "last-event-id"
  | "origin"
  | "traceparent"
  | "x-api-key"
  | "x-api-version"
  | "x-request-id"
  | "x-stability-opt-in"

/**
 * Why a body could not be read: `malformed` has broken framing, after `vanished` and `cut` there is
 * nobody to answer, since the caller disconnected or the server cut the connection.
 */
export type BodyFailure = {
  readonly failed: "too_large" | "not_utf8" | "malformed" | "vanished" | "cut"
}

/** Gets the text of a body, or why there is none: the host may have begun to read it. */
export type OnBody = (body: string | BodyFailure | BodyAlreadyRead) => void

export type Incoming = {
  /** The account by the host's `identify`; undefined where the API key decides. */
  account(): MaybePromise<number | undefined>
  /** In upper case. */
  readonly method: string
  /** As on the request line: percent-encoded path and query, possibly in absolute form. */
  readonly target: string
  /** The IP address of the caller, or any text where there is none. */
  readonly address: string
  /** Whether a body follows that is not empty. */
  readonly hasBody: boolean
  /** The declared length of the body. */
  readonly declaredBytes: number | undefined
  /** A violation of HTTP that the transport leaves to the service to answer. */
  readonly fault: string | undefined
  /** The value of a field; several values are joined by `, ` (RFC 9110 §5.2). */
  header(name: HeaderName): string | undefined
  /** Every value of a field. */
  values(name: HeaderName): ReadonlyArray<string>
  /** Reads the body once, up to the bound. Calls back once, possibly synchronously. */
  readBody(maxBytes: number, onBody: OnBody): void
}

export type Answer = {
  readonly status: number
  /**
   * Alternating names and values. The transport adds Content-Length and fields of the connection.
   */
  readonly headers: Array<string>
  /**
   * Null where the status has no body. For HEAD the transport sends the length without the body.
   */
  readonly body: string | null
  /** The static file that the body is, as a key for caching its encoded forms. */
  readonly file?: object
  /** In place of a body: events for as long as somebody reads. Left out for HEAD. */
  readonly stream?: EventStream
}

/** Gets the number of bytes that were sent, or undefined if the caller had disconnected. */
export type OnDelivered = (bytes: number | undefined) => void

/** Sends an answer and reports its delivery. */
export type Reply = (answer: Answer, onDelivered?: OnDelivered) => void

/** Answers every request exactly once, synchronously where the storage does. Never throws. */
export type Service = {
  (incoming: Incoming, reply: Reply): void
  /** Ends every event stream. Readers reconnect by themselves. */
  readonly endStreams: () => void
}
