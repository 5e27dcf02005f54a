/** A request and its answer as the service sees them: no transport, no sockets, no streams. */
import type { MaybePromise } from "@petstore/core"
import type { EventStream } from "./EventStream.js"

/** Header fields the service looks at, in lower case. */
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
 * Why there is no text of a body; `malformed` where its framing is broken. A caller that vanished
 * gets no answer here, nor one whose connection the server has cut.
 */
export type BodyFailure = {
  readonly failed: "too_large" | "not_utf8" | "malformed" | "vanished" | "cut"
}

export type Incoming = {
  /** The account that the host says the request is from; undefined where it leaves that to the key. */
  account(): MaybePromise<number | undefined>
  /** In upper case. */
  readonly method: string
  /** As on the request line: path and query, still percent-encoded; possibly in absolute form. */
  readonly target: string
  /** Where the request comes from: an IP address, or any text where there is none. */
  readonly address: string
  /** Whether a body follows, of any length but zero. */
  readonly hasBody: boolean
  /** The length of the body where it is declared. */
  readonly declaredBytes: number | undefined
  /** What HTTP does not allow in this request, where the transport leaves that to be answered here. */
  readonly fault: string | undefined
  /** A field's value; several fields of one name are joined by `, ` (RFC 9110 §5.2). */
  header(name: HeaderName): string | undefined
  /** Every value of a field, not joined. */
  values(name: HeaderName): ReadonlyArray<string>
  /**
   * Reads the body, at most once and no further than the bound. Throws `BodyAlreadyRead` where the
   * host has begun to read it.
   */
  readBody(maxBytes: number, onBody: (body: string | BodyFailure) => void): void
}

export type Answer = {
  readonly status: number
  /** Names and values in turns. The transport adds Content-Length, and what belongs to the connection. */
  readonly headers: Array<string>
  /** Null for an answer that has no body by its status. A transport leaves it out for HEAD, yet counts it. */
  readonly body: string | null
  /** Of a body that is answered again and again: what stands for it, so that a transport may keep it encoded. */
  readonly kept?: object
  /** In place of a body: what goes on for as long as somebody reads. Like a body it is left out for HEAD. */
  readonly stream?: EventStream
}

/** Told how many bytes of a body went out, once that is over, or undefined where nobody was there any more. */
export type OnDelivered = (bytes: number | undefined) => void

/** Sends an answer, and tells what became of it if somebody wants to know. */
export type Reply = (answer: Answer, delivered?: OnDelivered) => void

/** Answers every request exactly once, at once where nothing has to wait; never throws. */
export type Service = {
  (incoming: Incoming, reply: Reply): void
  /** Ends every stream at once; who follows one comes back by itself, here or elsewhere. */
  readonly endStreams: () => void
}
