/** What a server of our own keeps an eye on, so that it can shut down, and answer malformed requests, in order. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Gauge } from "../observe/Metrics.js"
import type { Failure } from "./FailedConnections.js"

export type Watch = {
  /** A request has come in that will be answered. */
  readonly started: (response: ServerResponse) => void
  /** Runs what writes an answer, at once or after what else is ready to be written. */
  readonly send: (write: () => void) => void
  /** It has been answered, or its caller has vanished; bytes of the answer may still be on their way. */
  readonly ended: (response: ServerResponse) => void
  /** Whether the server itself has cut the connection, or is about to. */
  readonly isCut: (socket: Socket) => boolean
  /** What became of the rest of a request's body that never comes; undefined while it may. */
  readonly failedBody: (request: IncomingMessage) => Failure["body"] | undefined
  /** Whether the server is shutting down: answers then end their connections. */
  readonly isEnding: () => boolean
  /** Whether nothing new is taken any more. */
  readonly isClosing: () => boolean
  /** Answers a request on a connection that is one too many, and says whether it was. */
  readonly refusesExcess: (response: ServerResponse) => boolean
  /** What `/metrics` says of the server. */
  readonly gauges: () => ReadonlyArray<Gauge>
}
