/** The store as a server of its own on node:http. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, Server as NetServer, type Socket } from "node:net"
import { addressFields } from "../serve/addressFields.js"
import type { ServedStore } from "../serve/makeService.js"
import type { Gauge } from "../observe/Metrics.js"
import { clearTimeout, pause, setTimeout } from "../timers.js"
import { parsedCode, parserText, refuseExcess, tunnelText } from "./bareAnswers.js"
import { endConnection, isEnding as isEndingConnection } from "./endConnection.js"
import { FailedConnections } from "./FailedConnections.js"
import { WriteCoalescer } from "./WriteCoalescer.js"
import { processGauges } from "./processGauges.js"
import { makeHandler, type NodeHandlerOptions } from "./toNodeHandler.js"
import { RequestBatch } from "./RequestBatch.js"

/** How and where a server of its own listens. */
export type ServeOptions = NodeHandlerOptions & {
  /** `127.0.0.1` unless given. */
  readonly host?: string
  /** 3000 unless given; 0 picks a free one. */
  readonly port?: number
  /** For how long a caller may take to send the header fields; 10 s unless given. */
  readonly headersTimeoutMs?: number
  /** For how long a caller may take to send a whole request; 30 s unless given. */
  readonly requestTimeoutMs?: number
  /** For how long a connection is kept between requests; 30 s unless given. */
  readonly keepAliveTimeoutMs?: number
  /** The most bytes of header fields and request line; 16 KiB unless given. */
  readonly maxHeaderBytes?: number
  /** The most connections at once; 10,000 unless given. What comes on others is answered 503. */
  readonly maxConnections?: number
  /**
   * For how long `close` goes on as before, but for `/health/ready`, which says 503, so that whoever spreads the load hears of it; 0
   * unless given.
   */
  readonly drainMs?: number
  /** More numbers for `/metrics`, as they are when it is asked for; those of one name together. */
  readonly gauges?: () => ReadonlyArray<Gauge>
  /** For how long `close` then waits for requests that are running; 5 s unless given. */
  readonly closeTimeoutMs?: number
}

/** A server that listens. */
export type Serving = {
  /** Where it listens, with the base path, such as `http://127.0.0.1:3000/v1`. */
  readonly url: string
  readonly server: Server
  /**
   * Says so on `/health/ready`, then takes no connection and no request any more: those that are on their way on kept connections are
   * answered 503 `shutting_down`. Lets running requests finish, cuts idle and half-sent connections a moment later, and the rest
   * after the bound. Safe to call twice. Leaves the store open.
   */
  readonly close: () => Promise<void>
}

/** For how long requests that were sent on kept connections before their caller could know are still answered. */
const GRACE_MS = 100

/** So many connections beyond the bound are told that they are too many; others are dropped. */
const TOLD_EXCESS = 64

/** For how long a connection that is one too many may take to say what it wants. */
const EXCESS_MS = 1_000

/** What node's parser says of a caller that closes its half before all of its request is there. */
const ENDED_EARLY = "HPE_INVALID_EOF_STATE"

/** How often node looks for connections whose time is over. */
const CHECK_INTERVAL_MS = 1_000

/** Listens; rejects where it can't. */
export const serve = (store: ServedStore, options: ServeOptions = {}): Promise<Serving> => {
  const { host = "127.0.0.1", port = 3000, closeTimeoutMs = 5_000, basePath = "" } = options
  const { maxConnections = 10_000, drainMs = 0 } = options
  /**
   * The connections, each with what is being answered on it, one request at a time. A set of what is being answered would be in the way of the
   * garbage collector: V8 links every table that a set has outgrown to the next, with all that was in it.
   */
  const sockets = new Map<Socket, ServerResponse | undefined>()
  /**
   * Answers that go on after their beginning, or whose request had not arrived in full, by their
   * connection.
   */
  const unfinished = new WeakMap<Socket, ServerResponse>()
  const excess = new WeakSet<Socket>()
  /** Connections that end because their request took too long, or because the server closes. */
  const cut = new WeakSet<Socket>()
  const unread = new Map<string, number>()
  const outbox = new WriteCoalescer()
  let closing: Promise<void> | undefined
  let isClosing = false

  const isEnding = () => closing !== undefined
  const isReady = () => !isEnding() && (options.isReady?.() ?? true)
  const gauges = (): ReadonlyArray<Gauge> => [
    {
      name: "petstore_connections",
      type: "gauge",
      help: "Connections that are open.",
      value: sockets.size
    },
    {
      name: "petstore_requests_running",
      type: "gauge",
      help: "Requests that are being answered.",
      value: [...sockets.values()].filter((response) => response !== undefined).length
    },
    ...[...unread].map(
      ([code, value]): Gauge => ({
        name: "petstore_unread_requests_total",
        type: "counter",
        help: "What was refused before there was a request.",
        value,
        labels: { code }
      })
    ),
    ...processGauges(),
    ...(options.gauges?.() ?? [])
  ]
  const handler = makeHandler(
    store,
    { ...options, isReady },
    {
      started: (response) => {
        outbox.began()
        const { socket } = response.req
        if (sockets.has(socket)) sockets.set(socket, response)
      },
      send: (write) => outbox.send(write),
      ended: (response) => {
        const { req: request } = response
        if (sockets.get(request.socket) === response) sockets.set(request.socket, undefined)
        if (!request.complete || !response.writableEnded) unfinished.set(request.socket, response)
        failed.ended(response)
      },
      failedBody: (request) => failed.bodyOf(request),
      isCut: (socket) => cut.has(socket),
      isEnding,
      isClosing: () => isClosing,
      refusesExcess: (response) => {
        const { socket } = response
        if (socket === null || !excess.has(socket)) return false
        refuseExcess(response, fieldsFor)
        return true
      },
      gauges
    }
  )
  const fieldsFor = addressFields(store.engine)
  const failed = new FailedConnections((socket) => sockets.get(socket), handler.isWaiting)
  const server = createServer({
    headersTimeout: options.headersTimeoutMs ?? 10_000,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 30_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Answered by the service, as an API response, instead of by node with an empty one.
    requireHostHeader: false
  })

  const together = new RequestBatch(store.engine)
  // Where the host says whose request it is, it may have written somewhere else just before, and what it wrote is to be seen.
  if (options.identify !== undefined) server.on("request", handler)
  else
    server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      together.handle(request.socket, () => handler(request, response))
    )
  server.on("checkContinue", handler.checkContinue)
  server.on("checkExpectation", handler)
  // Bytes of header fields are bounded already; node would leave out whatever is beyond this bound, without a word.
  server.maxHeadersCount = 0
  server.maxConnections = maxConnections + TOLD_EXCESS
  server.on("connection", (socket: Socket) => {
    if (sockets.size >= maxConnections) {
      excess.add(socket)
      unread.set("unavailable", (unread.get("unavailable") ?? 0) + 1)
      socket.setTimeout(EXCESS_MS, () => socket.destroy())
    }
    sockets.set(socket, undefined)
    socket.once("close", () => sockets.delete(socket))
  })
  server.on("connect", (request: IncomingMessage) => {
    outbox.flush()
    failed.add(request.socket, {
      body: "malformed",
      text: () => tunnelText(fieldsFor(request.socket.remoteAddress ?? "unknown"))
    })
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    outbox.flush()
    if (error.code === "ECONNRESET" || socket.destroyed) return socket.destroy()
    if (isEndingConnection(socket) || failed.has(socket)) return undefined
    const code = parsedCode(error)
    if (code === "request_timeout") cut.add(socket)
    // What is still to come of a request that was answered is no request of its own.
    const open = unfinished.get(socket)
    if (!socket.writable || (open !== undefined && !(open.req.complete && open.writableEnded)))
      return endConnection(socket)
    return failed.add(socket, {
      body: code === "request_timeout" || error.code === ENDED_EARLY ? "given up" : "malformed",
      text: () => {
        unread.set(code, (unread.get(code) ?? 0) + 1)
        return parserText(code, fieldsFor(socket.remoteAddress ?? "unknown"))
      }
    })
  })

  const shutDown = async (): Promise<void> => {
    handler.endStreams()
    if (drainMs > 0) await pause(drainMs)
    isClosing = true
    handler.endStreams()
    const timer = setTimeout(() => {
      for (const socket of sockets.keys()) cut.add(socket)
      server.closeAllConnections()
    }, closeTimeoutMs)
    // Closing the server as http has it would cut kept connections at once, with requests that are on their way on them.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    if (sockets.size > 0) await Promise.race([pause(Math.min(GRACE_MS, closeTimeoutMs)), closed])
    server.close()
    for (const [socket, response] of sockets) {
      if (response !== undefined) continue
      cut.add(socket)
      socket.destroySoon()
    }
    await closed
    clearTimeout(timer)
  }

  const close = () => (closing ??= shutDown())

  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, () => {
      server.off("error", reject)
      resolve({ url: `${urlOf(server.address())}${basePath}`, server, close })
    })
  })
}

const urlOf = (address: AddressInfo | string | null): string => {
  if (address === null || typeof address === "string") return address ?? ""
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
