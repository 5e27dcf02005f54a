/** The store as a server of its own on node:http. */
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { addressFields } from "../serve/addressFields.js"
import type { ServedStore } from "../serve/makeService.js"
import { answerClientError } from "./answerClientError.js"
import { makeHandler, type NodeHandlerOptions } from "./toNodeHandler.js"

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
  /** For how long `close` waits for requests that are running; 5 s unless given. */
  readonly closeTimeoutMs?: number
}

export type Serving = {
  /** Where it listens, with the base path, such as `http://127.0.0.1:3000/v1`. */
  readonly url: string
  readonly server: Server
  /**
   * Takes nothing new, says so on `/health/ready`, cuts idle and half-sent connections, lets running requests finish, and
   * cuts those too after the bound. Safe to call twice. Leaves the store open.
   */
  readonly close: () => Promise<void>
}

/** How often node looks for connections whose time is over. */
const CHECK_INTERVAL_MS = 1_000

/** Listens; rejects where it can't. */
export const serve = (store: ServedStore, options: ServeOptions = {}): Promise<Serving> => {
  const { host = "127.0.0.1", port = 3000, closeTimeoutMs = 5_000, basePath = "" } = options
  const running = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  let closing: Promise<void> | undefined

  const isClosing = () => closing !== undefined
  const isReady = () => !isClosing() && (options.isReady?.() ?? true)
  const handler = makeHandler(
    store,
    { ...options, isReady },
    { started: (response) => running.add(response), ended: (response) => running.delete(response), isClosing }
  )
  const fieldsFor = addressFields(store.engine)
  const server = createServer({
    headersTimeout: options.headersTimeoutMs ?? 10_000,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 30_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Answered by the service, as an API response, instead of by node with an empty one.
    requireHostHeader: false
  })

  server.on("request", handler)
  server.on("checkContinue", handler.checkContinue)
  server.on("checkExpectation", handler)
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const ofSocket = [...running].filter((response) => response.socket === socket)
    answerClientError(error, socket, ofSocket, fieldsFor)
  })

  const close = () =>
    (closing ??= new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs)
      server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      const busy = new Set([...running].map((response) => response.socket))
      for (const socket of sockets) if (!busy.has(socket)) socket.destroySoon()
    }))

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
