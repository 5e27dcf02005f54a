/** A request of node:http as the service sees it. */
import { isUtf8 } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { MaybePromise } from "@petstore/core/adapter"
import { BodyAlreadyRead } from "../exchange/BodyAlreadyRead.js"
import type { HeaderName, Incoming, OnBody } from "../exchange/Incoming.js"
import type { Identify } from "../exchange/Options.js"
import { forwardedAddress } from "../fields/forwardedAddress.js"
import { BodyChunks } from "./BodyChunks.js"
import { BODY_FAILED, type Failure } from "./FailedConnections.js"
import { faultOf, valuesIn } from "./rawHeaders.js"

const NONE: ReadonlyArray<string> = []

const MOUNT_EARLIER =
  "mount the handler before body parsers and whatever else listens to the request"

/**
 * Whether the host has begun to read or decode the body, so that some of its bytes are gone. A
 * listener to `readable` keeps all data from other listeners until it reads.
 */
const isBegun = (request: IncomingMessage): boolean =>
  request.readableDidRead ||
  request.readableEncoding !== null ||
  request.listenerCount("readable") > 0

export type ReadOptions = {
  readonly trustProxy: number
  readonly identify: Identify<IncomingMessage> | undefined
  /** Whether targets begin with the path that the handler is mounted at. */
  readonly isMounted: boolean
  /** Whether the server has ended the connection. */
  readonly isCut: (socket: Socket) => boolean
  /** Why the rest of a body never arrives; undefined while it may. */
  readonly failedBody: (request: IncomingMessage) => Failure["body"] | undefined
  /** Called when no caller waits for the response any more. */
  readonly onVanish: (response: ServerResponse) => void
}

/** Connect and Express strip the path that a handler is mounted at from `url`. */
const fullTarget = (request: IncomingMessage & { readonly originalUrl?: unknown }): string =>
  typeof request.originalUrl === "string" ? request.originalUrl : (request.url ?? "")

export class NodeIncoming implements Incoming {
  readonly method: string
  readonly target: string
  readonly hasBody: boolean
  readonly declaredBytes: number | undefined
  readonly fault: string | undefined
  /** Whether bytes of the body may still come. */
  unread: boolean
  /** Whether the host reads the body: then the time at which the rest is read is unknown. */
  isReadByHost = false
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
    this.target = options.isMounted ? fullTarget(request) : (request.url ?? "")
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
    return forwardedAddress(
      remoteAddress,
      typeof forwarded === "string" ? forwarded : forwarded?.join(","),
      trustProxy
    )
  }

  header(name: HeaderName): string | undefined {
    const value = this.request.headers[name]
    if (value === undefined) return undefined
    // Node keeps only the first Content-Type.
    const values = name === "content-type" ? valuesIn(this.request.rawHeaders, name) : value
    return typeof values === "string" ? values : values.join(", ")
  }

  values(name: HeaderName): ReadonlyArray<string> {
    return this.request.headers[name] === undefined ? NONE : valuesIn(this.request.rawHeaders, name)
  }

  readBody(maxBytes: number, onBody: OnBody): void {
    const request = this.request
    if (isBegun(request)) {
      this.unread = !request.complete
      this.isReadByHost = true
      return onBody(new BodyAlreadyRead(MOUNT_EARLIER))
    }
    // A host that looked for a body found that it is empty.
    if (request.readableEnded) {
      this.unread = false
      return onBody("")
    }
    const onGone = () => {
      this.options.onVanish(this.response)
      onBody({ failed: this.options.isCut(request.socket) ? "cut" : "vanished" })
    }
    // The caller disconnected while its key was looked up.
    if (request.destroyed) return onGone()
    const fail = (body: Failure["body"]) =>
      body === "given up" ? onGone() : onBody({ failed: body })
    const failure = this.options.failedBody(request)
    if (failure !== undefined) return fail(failure)
    const chunks = new BodyChunks()
    if (this.awaitsContinue) this.response.writeContinue()
    this.awaitsContinue = false
    let isSettled = false
    const settle = () => {
      isSettled = true
      request.off("data", onData)
      request.off("end", onEnd)
    }
    const onData = (chunk: Buffer) => {
      chunks.add(chunk)
      if (chunks.size <= maxBytes) return
      settle()
      request.pause()
      onBody({ failed: "too_large" })
    }
    const onFailed = (body: Failure["body"]) => {
      if (isSettled) return
      settle()
      fail(body)
    }
    const onEnd = () => {
      isSettled = true
      this.unread = false
      const bytes = chunks.concat()
      onBody(isUtf8(bytes) ? bytes.toString("utf8") : { failed: "not_utf8" })
    }
    request.on("data", onData)
    request.on("end", onEnd)
    request.on(BODY_FAILED, onFailed)
    // Node closes a request that was read in full as well, before it is answered.
    request.on("close", () => {
      if (!isSettled) onGone()
    })
    // A host may pause the request while it authenticates the caller; that does not read the body.
    if (request.isPaused()) request.resume()
  }
}
