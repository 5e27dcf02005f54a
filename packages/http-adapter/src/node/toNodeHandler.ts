/**
 * The store as a handler for node:http and whatever mounts such a handler (Express, node:https).
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { swaggerPage } from "../docs/swaggerPage.js"
import type { Identify, ServiceOptions } from "../exchange/Options.js"
import { makeService, type ServedStore } from "../serve/makeService.js"
import { InFlight } from "./InFlight.js"
import { NodeIncoming, type ReadOptions } from "./NodeIncoming.js"
import { NO_HOOKS, type ServerHooks } from "./ServerHooks.js"
import { writeAnswer } from "./writeAnswer.js"

/** A handler for a server of node:http, or for a framework on top of one. */
export type NodeHandler = {
  (request: IncomingMessage, response: ServerResponse): void
  /** For `checkContinue` of a server: sends `100 Continue` only if the body will be read. */
  readonly checkContinue: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Ends every event stream in order. Call it before the server closes, which would wait for them.
   * Readers reconnect by themselves.
   */
  readonly endStreams: () => void
}

/** How the store is served on node:http. */
export type NodeHandlerOptions = ServiceOptions & {
  /** Returns the account of a request, if the host identifies it. */
  readonly identify?: Identify<IncomingMessage>
  /**
   * Whether bodies from 1 KiB are encoded (br, gzip) for callers that accept it; yes unless given.
   */
  readonly compression?: boolean
  /**
   * How many requests of one connection may wait for earlier ones before no more are read from it;
   * 64 unless given.
   */
  readonly maxPipelined?: number
}

/**
 * The store as a handler for node:http, Express, Fastify and other frameworks with Node's requests
 * and responses. It does not listen and closes nothing.
 *
 * @example
 * const server = createServer(toNodeHandler(store, { basePath: "/shop" })).listen(3000)
 */
export const toNodeHandler = (store: ServedStore, options: NodeHandlerOptions = {}): NodeHandler =>
  makeHandler(store, options, NO_HOOKS)

/** For a server of our own. */
type ServerHandler = NodeHandler & {
  /** Whether requests of this connection wait for earlier ones. */
  readonly isWaiting: (socket: Socket) => boolean
}

export const makeHandler = (
  store: ServedStore,
  options: NodeHandlerOptions,
  hooks: ServerHooks
): ServerHandler => {
  const service = makeService(store, swaggerPage, options, hooks)
  const { trustProxy = 0, basePath = "", identify, compression = true, maxPipelined = 64 } = options
  const reading: ReadOptions = {
    trustProxy,
    identify,
    isMounted: basePath !== "",
    onVanish: hooks.onEnd,
    isCut: hooks.isCut,
    failedBody: hooks.failedBody
  }
  const inFlight = new InFlight(maxPipelined)
  const writing = { hooks, compression }
  const handle = (
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean
  ): void => {
    if (isPipelined(response)) {
      inFlight.enter(request.socket)
      response.once("socket", () => {
        inFlight.leave(request.socket)
        handle(request, response, awaitsContinue)
      })
      return
    }
    if (hooks.refuseExcess(response)) return
    hooks.onStart(response)
    const incoming = new NodeIncoming(request, response, awaitsContinue, reading)
    service(incoming, (answer, onDelivered) =>
      writeAnswer(response, incoming, answer, writing, onDelivered)
    )
  }
  return Object.assign(
    (request: IncomingMessage, response: ServerResponse) => handle(request, response, false),
    {
      checkContinue: (request: IncomingMessage, response: ServerResponse) =>
        handle(request, response, true),
      endStreams: service.endStreams,
      isWaiting: (socket: Socket) => inFlight.isWaiting(socket)
    }
  )
}

/**
 * Whether an earlier request of the connection is still being answered: node gives a response its
 * socket when it is next. Pipelined requests take effect in order (RFC 9112 §9.3.2).
 */
const isPipelined = ({ socket }: ServerResponse): boolean => socket === null
