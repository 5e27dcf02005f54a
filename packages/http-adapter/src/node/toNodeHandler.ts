/** The store as a handler for node:http and for whatever is mounted like one (Express, Connect, node:https). */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { makeService, type ServedStore } from "../serve/makeService.js"
import type { Identify, ServiceOptions } from "../exchange/Options.js"
import { NodeIncoming, type ReadOptions } from "./NodeIncoming.js"
import { InFlight } from "./InFlight.js"
import { processGauges } from "./processGauges.js"
import type { Watch } from "./Watch.js"
import { writeAnswer } from "./writeAnswer.js"

/** A handler for a server of node:http, or for what a host builds on one. */
export type NodeHandler = {
  (request: IncomingMessage, response: ServerResponse): void
  /** For a server's `checkContinue` event: says `100 Continue` only for a body that will be read. */
  readonly checkContinue: (request: IncomingMessage, response: ServerResponse) => void
  /** Ends every event stream in order, for a server that is about to close: it would wait for them. Readers come back by themselves. */
  readonly endStreams: () => void
}

const UNWATCHED: Watch = {
  isCut: () => false,
  failedBody: () => undefined,
  started: () => undefined,
  // Other servers do by themselves what has to come after the answer, such as to refuse the bytes behind a request.
  send: (write) => write(),
  ended: () => undefined,
  isEnding: () => false,
  isClosing: () => false,
  refusesExcess: () => false,
  gauges: processGauges
}

/** How the store is served on node:http. */
export type NodeHandlerOptions = ServiceOptions & {
  /** Whose request it is, where the host knows. */
  readonly identify?: Identify<IncomingMessage>
  /** Whether bodies from 1 KiB are encoded (br, gzip) for callers that take it; yes unless given. */
  readonly compression?: boolean
  /** How many requests of one connection may wait for their turn before no more are read from it; 64 unless given. */
  readonly maxPipelined?: number
}

/**
 * The store as a handler for node:http, Express, Fastify and whatever else has Node's requests and responses. It listens nowhere and
 * closes nothing.
 *
 * @example
 * const server = createServer(toNodeHandler(store, { basePath: "/shop" })).listen(3000)
 */
export const toNodeHandler = (store: ServedStore, options: NodeHandlerOptions = {}): NodeHandler =>
  makeHandler(store, options, UNWATCHED)

/** For a server of our own. */
export type WatchedHandler = NodeHandler & {
  /** Whether requests of this connection wait for their turn. */
  readonly isWaiting: (socket: Socket) => boolean
}

export const makeHandler = (
  store: ServedStore,
  options: NodeHandlerOptions,
  watch: Watch
): WatchedHandler => {
  const service = makeService(store, options, watch)
  const { trustProxy = 0, basePath = "", identify, compression = true, maxPipelined = 64 } = options
  const reading: ReadOptions = {
    trustProxy,
    identify,
    isMounted: basePath !== "",
    vanished: watch.ended,
    isCut: watch.isCut,
    failedBody: watch.failedBody
  }
  const pipeline = new InFlight(maxPipelined)
  const writing = { watch, compression }
  const handle = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void => {
    if (isQueued(response)) {
      pipeline.enter(request.socket)
      response.once("socket", () => {
        pipeline.leave(request.socket)
        handle(request, response, awaitsContinue)
      })
      return
    }
    if (watch.refusesExcess(response)) return
    watch.started(response)
    const incoming = new NodeIncoming(request, response, awaitsContinue, reading)
    service(incoming, (answer, delivered) => writeAnswer(response, incoming, answer, writing, delivered))
  }
  return Object.assign(
    (request: IncomingMessage, response: ServerResponse) => handle(request, response, false),
    {
      checkContinue: (request: IncomingMessage, response: ServerResponse) => handle(request, response, true),
      endStreams: service.endStreams,
      isWaiting: (socket: Socket) => pipeline.isWaiting(socket)
    }
  )
}

/**
 * Whether an earlier request of the same connection is still being answered: node gives a response its socket when its
 * turn comes. What was sent in a row takes effect in that order (RFC 9112 §9.3.2).
 */
const isQueued = ({ socket }: ServerResponse): boolean => socket === null
