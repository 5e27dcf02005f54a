/** The hooks between a handler and its server, so that the server can shut down in order. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Gauge } from "../observe/Metrics.js"
import type { Failure } from "./FailedConnections.js"
import { processGauges } from "./processGauges.js"

export type ServerHooks = {
  /** A request begins that will be answered. */
  readonly onStart: (response: ServerResponse) => void
  /** Runs a write now, or together with others. */
  readonly send: (write: () => void) => void
  /** The request was answered, or its caller disconnected. Bytes may still be on their way. */
  readonly onEnd: (response: ServerResponse) => void
  /** Whether the server has ended the connection, or is about to. */
  readonly isCut: (socket: Socket) => boolean
  /** Why the rest of a body never arrives; undefined while it may. */
  readonly failedBody: (request: IncomingMessage) => Failure["body"] | undefined
  /** Whether answers end their connections, since the server is shutting down. */
  readonly isEnding: () => boolean
  /** Whether new requests are refused. */
  readonly isClosing: () => boolean
  /** Refuses a request of a connection beyond the bound. False for other requests. */
  readonly refuseExcess: (response: ServerResponse) => boolean
  /** The metrics of the server. */
  readonly gauges: () => ReadonlyArray<Gauge>
}

/** For the server of a host, which does these things by itself. */
export const NO_HOOKS: ServerHooks = {
  onStart: () => undefined,
  send: (write) => write(),
  onEnd: () => undefined,
  isCut: () => false,
  failedBody: () => undefined,
  isEnding: () => false,
  isClosing: () => false,
  refuseExcess: () => false,
  gauges: processGauges
}
