/** A request of node:http as the service sees it. */
import { isUtf8 } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import { addressOf } from "../serve/Address.js"
import type { BodyFailure, HeaderName, Incoming } from "../serve/Incoming.js"
import { Pieces } from "./Pieces.js"

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

export class NodeIncoming implements Incoming {
  readonly method: string
  readonly target: string
  readonly hasBody: boolean
  readonly declaredBytes: number | undefined
  readonly fault: string | undefined
  /** Whether bytes of the body may still come. */
  unread: boolean
  /** Whether the caller waits for `100 Continue` before it sends the body. */
  awaitsContinue: boolean
  private readonly request: IncomingMessage
  private readonly response: ServerResponse
  private readonly trustProxy: number
  private readonly vanished: (response: ServerResponse) => void

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    trustProxy: number,
    awaitsContinue: boolean,
    vanished: (response: ServerResponse) => void
  ) {
    const { headers, method = "", url = "" } = request
    const length = headers["content-length"]
    this.method = method
    this.target = url
    this.declaredBytes = length === undefined ? undefined : Number(length)
    this.hasBody =
      length === undefined ? headers["transfer-encoding"] !== undefined : this.declaredBytes !== 0
    this.fault = headers.host === undefined && request.httpVersionMinor > 0 ? NO_HOST : undefined
    this.unread = this.hasBody
    this.awaitsContinue = awaitsContinue
    this.request = request
    this.response = response
    this.trustProxy = trustProxy
    this.vanished = vanished
  }

  get address(): string {
    const { remoteAddress = "unknown" } = this.request.socket
    if (this.trustProxy === 0) return remoteAddress
    const forwarded = this.request.headers["x-forwarded-for"]
    return addressOf(
      remoteAddress,
      typeof forwarded === "string" ? forwarded : forwarded?.join(","),
      this.trustProxy
    )
  }

  header(name: HeaderName): string | undefined {
    const value = this.request.headers[name]
    if (value === undefined) return undefined
    if (name === "content-type") return valuesIn(this.request.rawHeaders, name).join(", ")
    return typeof value === "string" ? value : value.join(", ")
  }

  values(name: HeaderName): ReadonlyArray<string> {
    return this.request.headers[name] === undefined ? NONE : valuesIn(this.request.rawHeaders, name)
  }

  readBody(maxBytes: number, onBody: (body: string | BodyFailure) => void): void {
    const request = this.request
    const pieces = new Pieces()
    if (this.awaitsContinue) this.response.writeContinue()
    this.awaitsContinue = false
    const onData = (piece: Buffer) => {
      pieces.add(piece)
      if (pieces.size <= maxBytes) return
      request.off("data", onData)
      request.off("end", onEnd)
      request.pause()
      onBody({ failed: "too_large" })
    }
    const onEnd = () => {
      this.unread = false
      const bytes = pieces.whole()
      onBody(isUtf8(bytes) ? bytes.toString("utf8") : { failed: "not_utf8" })
    }
    request.on("data", onData)
    request.on("end", onEnd)
    request.on("close", () => {
      this.vanished(this.response)
      if (!request.complete && !this.response.headersSent) onBody({ failed: "vanished" })
    })
  }
}
