/**
 * Connections that bring no further request, since node's parser gave up on them or a request took
 * too long to arrive. Earlier requests are still answered, in order; then the connection is closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { endConnection } from "./endConnection.js"

export type Failure = {
  /** Why an arriving body never ends: its framing broke, or the caller does not send the rest. */
  readonly body: "malformed" | "given up"
  /** Makes the answer to the failure, where no request was answered for it. */
  readonly text: () => string
}

/** Emitted by a request, with the `body` of the failure, when the rest of its body never comes. */
export const BODY_FAILED = Symbol("the rest of the body never comes")

export class FailedConnections {
  readonly #failures = new Map<Socket, Failure>()
  readonly #responseOf: (socket: Socket) => ServerResponse | undefined
  readonly #isWaiting: (socket: Socket) => boolean

  /**
   * `responseOf` is the response that is being made on a connection; `isWaiting` says whether
   * requests wait behind it.
   */
  constructor(
    responseOf: (socket: Socket) => ServerResponse | undefined,
    isWaiting: (socket: Socket) => boolean
  ) {
    this.#responseOf = responseOf
    this.#isWaiting = isWaiting
  }

  has(socket: Socket): boolean {
    return this.#failures.has(socket)
  }

  /** Why the rest of this request's body never arrives; undefined while it may. */
  bodyOf(request: IncomingMessage): Failure["body"] | undefined {
    if (this.#failures.size === 0 || request.complete) return undefined
    return this.#failures.get(request.socket)?.body
  }

  add(socket: Socket, failure: Failure): void {
    const response = this.#responseOf(socket)
    if (response === undefined && !this.#isWaiting(socket))
      return endConnection(socket, failure.text())
    // The failed request is being answered already.
    if (response?.headersSent === true && !response.req.complete) return endConnection(socket)
    this.#failures.set(socket, failure)
    socket.once("close", () => this.#failures.delete(socket))
    // Node removes its own listener from a connection that it hands over, as after CONNECT.
    socket.on("error", () => socket.destroy())
    if (response?.req.complete === false) response.req.emit(BODY_FAILED, failure.body)
    return undefined
  }

  /** Closes the connection after its last answer. */
  onEnd({ req, headersSent, writableEnded }: ServerResponse): void {
    if (this.#failures.size === 0) return
    const failure = this.#failures.get(req.socket)
    if (failure === undefined || this.#isWaiting(req.socket)) return
    // An answer that was cut off, or that of the failed request itself, leaves no room for another.
    const isUnanswered = headersSent ? req.complete && writableEnded : true
    endConnection(req.socket, isUnanswered ? failure.text() : "")
  }
}
