/**
 * Connections that bring no further request, since node's parser has given up on them or a request
 * took too long to arrive. What came before is still answered, in order; then the connection is
 * closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { endConnection } from "./endConnection.js"

export type Failure = {
  /**
   * What became of a body that was still arriving: its framing broke, or nobody sends or awaits the
   * rest.
   */
  readonly body: "malformed" | "given up"
  /**
   * The answer to what has failed, where no request got one for it. Asked for when it is written.
   */
  readonly text: () => string
}

/** Emitted by a request, with the `body` of the failure, when the rest of its body never comes. */
export const BODY_FAILED = Symbol("the rest of the body never comes")

export class FailedConnections {
  readonly #failures = new Map<Socket, Failure>()
  readonly #running: (socket: Socket) => ServerResponse | undefined
  readonly #isWaiting: (socket: Socket) => boolean

  /**
   * `running` is what is being answered on a connection; `isWaiting` says whether requests wait
   * behind it.
   */
  constructor(
    running: (socket: Socket) => ServerResponse | undefined,
    isWaiting: (socket: Socket) => boolean
  ) {
    this.#running = running
    this.#isWaiting = isWaiting
  }

  has(socket: Socket): boolean {
    return this.#failures.has(socket)
  }

  /** What became of the rest of this request's body; undefined while it may still come. */
  bodyOf(request: IncomingMessage): Failure["body"] | undefined {
    if (this.#failures.size === 0 || request.complete) return undefined
    return this.#failures.get(request.socket)?.body
  }

  add(socket: Socket, failure: Failure): void {
    const running = this.#running(socket)
    if (running === undefined && !this.#isWaiting(socket)) return endConnection(socket, failure.text())
    // Its answer is out already.
    if (running?.headersSent === true && !running.req.complete) return endConnection(socket)
    this.#failures.set(socket, failure)
    socket.once("close", () => this.#failures.delete(socket))
    // Node takes its own listener away from a connection that it hands over, as it does with
    // CONNECT.
    socket.on("error", () => socket.destroy())
    if (running?.req.complete === false) running.req.emit(BODY_FAILED, failure.body)
    return undefined
  }

  /** Closes the connection if this was the last answer on it. */
  ended({ req, headersSent, writableEnded }: ServerResponse): void {
    if (this.#failures.size === 0) return
    const failure = this.#failures.get(req.socket)
    if (failure === undefined || this.#isWaiting(req.socket)) return
    // Between the pieces of an answer, or after that to the request which has failed, there is no
    // place for one.
    const isUnanswered = headersSent ? req.complete && writableEnded : true
    endConnection(req.socket, isUnanswered ? failure.text() : "")
  }
}
