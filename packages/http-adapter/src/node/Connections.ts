/** The open connections of a server and the response that is being written to each. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How long a connection beyond the bound may take to send a request. */
const EXCESS_TIMEOUT_MS = 1_000

export class Connections {
  readonly #max: number
  /**
   * A map of responses by their sockets rather than a set of responses: V8 links every table that a
   * set has outgrown to the next, so the garbage collector would keep old responses.
   */
  readonly #responses = new Map<Socket, ServerResponse | undefined>()
  /** Responses that still stream, or whose request had not arrived in full. */
  readonly #unfinished = new WeakMap<Socket, ServerResponse>()
  readonly #excess = new WeakSet<Socket>()
  readonly #cut = new WeakSet<Socket>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#responses.size
  }

  /** The number of requests that are being answered. */
  get running(): number {
    let count = 0
    for (const response of this.#responses.values()) if (response !== undefined) count++
    return count
  }

  /** Returns false for a connection beyond the bound. */
  add(socket: Socket): boolean {
    const isWithin = this.#responses.size < this.#max
    if (!isWithin) {
      this.#excess.add(socket)
      socket.setTimeout(EXCESS_TIMEOUT_MS, () => socket.destroy())
    }
    this.#responses.set(socket, undefined)
    socket.once("close", () => this.#responses.delete(socket))
    return isWithin
  }

  begin(response: ServerResponse): void {
    const { socket } = response.req
    if (this.#responses.has(socket)) this.#responses.set(socket, response)
  }

  end(response: ServerResponse): void {
    const { req: request } = response
    const { socket } = request
    if (this.#responses.get(socket) === response) this.#responses.set(socket, undefined)
    if (!request.complete || !response.writableEnded) this.#unfinished.set(socket, response)
  }

  /** The response that is being made; undefined on an idle connection. */
  responseOf(socket: Socket): ServerResponse | undefined {
    return this.#responses.get(socket)
  }

  /** Whether the last response, or its request, is not complete yet. */
  isUnfinished(socket: Socket): boolean {
    const response = this.#unfinished.get(socket)
    return response !== undefined && !(response.req.complete && response.writableEnded)
  }

  /** Whether the connection is beyond the bound. */
  isExcess(socket: Socket): boolean {
    return this.#excess.has(socket)
  }

  /** Marks a connection that the server ends: its request took too long, or the server closes. */
  cut(socket: Socket): void {
    this.#cut.add(socket)
  }

  isCut(socket: Socket): boolean {
    return this.#cut.has(socket)
  }

  cutAll(): void {
    for (const socket of this.#responses.keys()) this.cut(socket)
  }

  /** Ends idle connections and those whose request has not arrived in full. */
  closeIdle(): void {
    for (const [socket, response] of this.#responses) {
      if (response !== undefined) continue
      this.cut(socket)
      socket.destroySoon()
    }
  }
}
