/** A request of node:http as the service sees it. */
import { isUtf8 } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { MaybePromise } from "@petstore/core"
import { addressOf } from "../fields/forwardedAddress.js"
import { BodyAlreadyRead } from "../exchange/BodyAlreadyRead.js"
import type { BodyFailure, HeaderName, Incoming } from "../exchange/Incoming.js"
import type { Identify } from "../exchange/Options.js"
import { BODY_FAILED, type Failure } from "./FailedConnections.js"
import { BodyChunks } from "./BodyChunks.js"

const NONE: ReadonlyArray<string> = []

/** RFC 9112 §3.2. */
const NO_HOST = "the Host field is missing, which HTTP/1.1 needs"

/** Fields of which node keeps the first alone (`authorization`, `content-type`): looked up among all that were sent. */
const valuesIn = (rawHeaders: ReadonlyArray<string>, name: HeaderName): ReadonlyArray<string> => {
  const values: Array<string> = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? ""
    if (raw.length === name.length && raw.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? "")
  }
  return values
}

/** RFC 9110 §5.3; nearly always there is one. */
const joined = (values: ReadonlyArray<string>): string =>
  values.length === 1 ? (values[0] ?? "") : values.join(", ")

/** RFC 9112 §3.2: more than one is an error as well, since servers on the way may have gone by different ones. */
const MANY_HOSTS = "there is more than one Host field"

/** RFC 9112 §6.1: a coding that is not understood can't be taken off. */
const UNKNOWN_CODING = "the Transfer-Encoding is none but chunked"

/** Node leaves out what is beyond its own bound of fields, and a condition or key might be among that. */
const MOST_FIELDS = 1_000
const MANY_FIELDS = `there are more than ${MOST_FIELDS - 1} header fields`

const hostsIn = (rawHeaders: ReadonlyArray<string>): number => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts
}

/** What is wrong with a request that node's parser lets through. */
const faultOf = ({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): string | undefined => {
  if (rawHeaders.length >= 2 * MOST_FIELDS) return MANY_FIELDS
  if (headers.host === undefined) return httpVersionMinor > 0 ? NO_HOST : undefined
  if (hostsIn(rawHeaders) > 1) return MANY_HOSTS
  const coding = headers["transfer-encoding"]
  return coding === undefined || coding.toLowerCase() === "chunked" ? undefined : UNKNOWN_CODING
}

const MOUNT_EARLIER = "mount the handler before body parsers and whatever else listens to the request"

/**
 * Whether the host has begun to read the body, or to decode it: what has come is gone, or its bytes
 * are. A listener to `readable` keeps what comes from all others until it reads.
 */
const isBegun = (request: IncomingMessage): boolean =>
  request.readableDidRead || request.readableEncoding !== null || request.listenerCount("readable") > 0

export type ReadOptions = {
  readonly trustProxy: number
  readonly identify: Identify<IncomingMessage> | undefined
  /** Whether targets begin with the path that the handler is mounted at. */
  readonly isMounted: boolean
  /** Whether it is the server that has ended the connection. */
  readonly isCut: (socket: Socket) => boolean
  /** What became of the rest of a request's body that never comes; undefined while it may. */
  readonly failedBody: (request: IncomingMessage) => Failure["body"] | undefined
  /** Told when nobody waits for the answer any more. */
  readonly vanished: (response: ServerResponse) => void
}

/** Connect and Express cut off the path that a handler is mounted at, and keep the whole target beside. */
const wholeTarget = (request: IncomingMessage & { readonly originalUrl?: unknown }): string =>
  typeof request.originalUrl === "string" ? request.originalUrl : (request.url ?? "")

export class NodeIncoming implements Incoming {
  readonly method: string
  readonly target: string
  readonly hasBody: boolean
  readonly declaredBytes: number | undefined
  readonly fault: string | undefined
  /** Whether bytes of the body may still come. */
  unread: boolean
  /**
   * Whether the host has begun to read the body, so that nobody knows when the rest of it is read.
   */
  isTaken = false
  /** Whether the caller waits for `100 Continue` before it sends the body. */
  awaitsContinue: boolean
  private readonly request: IncomingMessage
  private readonly response: ServerResponse
  private readonly options: ReadOptions

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
    options: ReadOptions
  ) {
    const { headers, method = "" } = request
    const length = headers["content-length"]
    this.method = method
    this.target = options.isMounted ? wholeTarget(request) : (request.url ?? "")
    this.declaredBytes = length === undefined ? undefined : Number(length)
    this.hasBody =
      length === undefined ? headers["transfer-encoding"] !== undefined : this.declaredBytes !== 0
    this.fault = faultOf(request)
    this.unread = this.hasBody
    this.awaitsContinue = awaitsContinue
    this.request = request
    this.response = response
    this.options = options
  }

  account(): MaybePromise<number | undefined> {
    return this.options.identify?.(this.request)
  }

  get address(): string {
    const { remoteAddress = "unknown" } = this.request.socket
    const { trustProxy } = this.options
    if (trustProxy === 0) return remoteAddress
    const forwarded = this.request.headers["x-forwarded-for"]
    return addressOf(
      remoteAddress,
      typeof forwarded === "string" ? forwarded : forwarded?.join(","),
      trustProxy
    )
  }

  header(name: HeaderName): string | undefined {
    const value = this.request.headers[name]
    if (value === undefined) return undefined
    if (name === "content-type") return joined(valuesIn(this.request.rawHeaders, name))
    return typeof value === "string" ? value : joined(value)
  }

  values(name: HeaderName): ReadonlyArray<string> {
    return this.request.headers[name] === undefined ? NONE : valuesIn(this.request.rawHeaders, name)
  }

  readBody(maxBytes: number, onBody: (body: string | BodyFailure) => void): void {
    const request = this.request
    if (isBegun(request)) {
      this.unread = !request.complete
      this.isTaken = true
      throw new BodyAlreadyRead(MOUNT_EARLIER)
    }
    // Whoever looked for a body found none: its length was not declared, and it is empty.
    if (request.readableEnded) {
      this.unread = false
      return onBody("")
    }
    const gone = () => {
      this.options.vanished(this.response)
      onBody({ failed: this.options.isCut(request.socket) ? "cut" : "vanished" })
    }
    // Whoever vanished while their key was looked up has been closed already.
    if (request.destroyed) return gone()
    const failed = (body: Failure["body"]) => (body === "given up" ? gone() : onBody({ failed: body }))
    const failure = this.options.failedBody(request)
    if (failure !== undefined) return failed(failure)
    const pieces = new BodyChunks()
    if (this.awaitsContinue) this.response.writeContinue()
    this.awaitsContinue = false
    let isSettled = false
    const onData = (piece: Buffer) => {
      pieces.add(piece)
      if (pieces.size <= maxBytes) return
      isSettled = true
      request.off("data", onData)
      request.off("end", onEnd)
      request.pause()
      onBody({ failed: "too_large" })
    }
    const onFailed = (body: Failure["body"]) => {
      if (isSettled) return
      isSettled = true
      request.off("data", onData)
      request.off("end", onEnd)
      failed(body)
    }
    const onEnd = () => {
      isSettled = true
      this.unread = false
      const bytes = pieces.whole()
      onBody(isUtf8(bytes) ? bytes.toString("utf8") : { failed: "not_utf8" })
    }
    request.on("data", onData)
    request.on("end", onEnd)
    request.on(BODY_FAILED, onFailed)
    // Node closes a request that was read in full as well, while its answer is still to come.
    request.on("close", () => {
      if (!isSettled) gone()
    })
    // A host that has held the body back for us, while it looked who is calling, has not begun to
    // read.
    if (request.isPaused()) request.resume()
  }
}
