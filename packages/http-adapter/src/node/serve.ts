/** The store as a server of its own on node:http. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, Server as NetServer, type Socket } from "node:net"
import type { Gauge } from "../observe/Metrics.js"
import { addressFields } from "../serve/addressFields.js"
import type { ServedStore } from "../serve/makeService.js"
import { clearTimeout, pause, setTimeout } from "../timers.js"
import { parsedCode, parserText, refuseExcess, tunnelText } from "./bareAnswers.js"
import { Connections } from "./Connections.js"
import { endConnection, isEnding as isEndingConnection } from "./endConnection.js"
import { FailedConnections } from "./FailedConnections.js"
import { RequestBatch } from "./RequestBatch.js"
import { serverGauges } from "./serverGauges.js"
import { makeHandler, type NodeHandlerOptions } from "./toNodeHandler.js"
import { WriteCoalescer } from "./WriteCoalescer.js"

/** How and where a server of its own listens. */
export type ServeOptions = NodeHandlerOptions & {
  /** `127.0.0.1` unless given. */
  readonly host?: string
  /** 3000 unless given; 0 picks a free port. */
  readonly port?: number
  /** How long a caller may take to send the header fields; 10 s unless given. */
  readonly headersTimeoutMs?: number
  /** How long a caller may take to send a whole request; 30 s unless given. */
  readonly requestTimeoutMs?: number
  /** How long a connection is kept between requests; 30 s unless given. */
  readonly keepAliveTimeoutMs?: number
  /** The most bytes of header fields and request line; 16 KiB unless given. */
  readonly maxHeaderBytes?: number
  /** The most connections at once; 10,000 unless given. Requests on others are answered 503. */
  readonly maxConnections?: number
  /**
   * How long `close` goes on serving while `/health/ready` answers 503, so that load balancers
   * notice; 0 unless given.
   */
  readonly drainMs?: number
  /** Further metrics, read whenever `/metrics` is. Put those of one name together. */
  readonly gauges?: () => ReadonlyArray<Gauge>
  /** How long `close` then waits for running requests; 5 s unless given. */
  readonly closeTimeoutMs?: number
}

/** A server that listens. */
export type Serving = {
  /** Where it listens, with the base path, such as `http://127.0.0.1:3000/v1`. */
  readonly url: string
  readonly server: Server
  /**
   * Answers 503 on `/health/ready`, then takes no more connections. Requests that were on their way
   * on kept connections are answered 503 `shutting_down`. Running requests finish; idle and
   * half-sent connections are cut a moment later, the rest after the bound. Safe to call twice.
   * Leaves the store open.
   */
  readonly close: () => Promise<void>
}

/** How long `close` answers requests that were sent before their caller could know. */
const GRACE_MS = 100

/** The connections beyond the bound that are answered 503. Node drops any further ones. */
const MAX_EXCESS_CONNECTIONS = 64

/** The error of node's parser when a caller closes its half before its request is complete. */
const ENDED_EARLY = "HPE_INVALID_EOF_STATE"

/** The interval at which node checks its timeouts. */
const CHECK_INTERVAL_MS = 1_000

/** Listens; rejects where it can't. */
export const serve = (store: ServedStore, options: ServeOptions = {}): Promise<Serving> => {
  const { host = "127.0.0.1", port = 3000, closeTimeoutMs = 5_000, basePath = "" } = options
  const { maxConnections = 10_000, drainMs = 0 } = options
  const connections = new Connections(maxConnections)
  const writes = new WriteCoalescer()
  const batch = new RequestBatch(store.engine)
  const refusals = new Map<string, number>()
  const countRefusal = (code: string) => refusals.set(code, (refusals.get(code) ?? 0) + 1)
  const fieldsFor = addressFields(store.engine)
  let closing: Promise<void> | undefined
  let isClosing = false

  const isEnding = () => closing !== undefined
  const isReady = () => !isEnding() && (options.isReady?.() ?? true)
  const handler = makeHandler(
    store,
    { ...options, isReady },
    {
      onStart: (response) => {
        writes.begin()
        connections.begin(response)
      },
      send: (write) => writes.send(write),
      onEnd: (response) => {
        connections.end(response)
        failed.onEnd(response)
      },
      failedBody: (request) => failed.bodyOf(request),
      isCut: (socket) => connections.isCut(socket),
      isEnding,
      isClosing: () => isClosing,
      refuseExcess: (response) => {
        const { socket } = response
        if (socket === null || !connections.isExcess(socket)) return false
        refuseExcess(response, fieldsFor)
        return true
      },
      gauges: () => [...serverGauges(connections, refusals), ...(options.gauges?.() ?? [])]
    }
  )
  const failed = new FailedConnections(
    (socket) => connections.responseOf(socket),
    handler.isWaiting
  )
  const server = createServer({
    headersTimeout: options.headersTimeoutMs ?? 10_000,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 30_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // The service refuses such a request itself, with an error in the body.
    requireHostHeader: false
  })

  // `identify` may write to the database by other means, and its request has to see that write.
  if (options.identify !== undefined) server.on("request", handler)
  else
    server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      batch.handle(request.socket, () => handler(request, response))
    )
  server.on("checkContinue", handler.checkContinue)
  server.on("checkExpectation", handler)
  // Node silently drops fields beyond this number. `maxHeaderSize` bounds them already.
  server.maxHeadersCount = 0
  server.maxConnections = maxConnections + MAX_EXCESS_CONNECTIONS
  server.on("connection", (socket: Socket) => {
    if (!connections.add(socket)) countRefusal("unavailable")
  })
  server.on("connect", (request: IncomingMessage) => {
    writes.flush()
    failed.add(request.socket, {
      body: "malformed",
      text: () => tunnelText(fieldsFor(request.socket.remoteAddress ?? "unknown"))
    })
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    writes.flush()
    if (error.code === "ECONNRESET" || socket.destroyed) return socket.destroy()
    if (isEndingConnection(socket) || failed.has(socket)) return undefined
    const code = parsedCode(error)
    if (code === "request_timeout") connections.cut(socket)
    // The rest of a request that was answered is no request of its own.
    if (!socket.writable || connections.isUnfinished(socket)) return endConnection(socket)
    return failed.add(socket, {
      body: code === "request_timeout" || error.code === ENDED_EARLY ? "given up" : "malformed",
      text: () => {
        countRefusal(code)
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
      connections.cutAll()
      server.closeAllConnections()
    }, closeTimeoutMs)
    // `server.close` would cut idle connections at once, with requests on their way on them. In
    // Bun there is no other way: its servers are not those of node:net.
    const closer: NetServer = server instanceof NetServer ? NetServer.prototype : server
    const closed = new Promise<void>((resolve) => closer.close.call(server, () => resolve()))
    if (connections.size > 0)
      await Promise.race([pause(Math.min(GRACE_MS, closeTimeoutMs)), closed])
    server.close()
    connections.closeIdle()
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
