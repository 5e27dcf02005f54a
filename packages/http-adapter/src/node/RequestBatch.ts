/**
 * Lets the requests of one turn of the event loop read one snapshot of the store. All of them had
 * arrived when the turn began, so each still sees what another process wrote before it was sent.
 */
import type { Socket } from "node:net"
import type { Engine } from "@petstore/core/adapter"
import { setImmediate } from "../timers.js"

/** A turn may bring requests of up to 1,024 connections; no snapshot is shared for that long. */
const MAX_REQUESTS = 64

export class RequestBatch {
  readonly #direct: Engine["direct"]
  readonly #sockets = new Set<Socket>()
  #isEndScheduled = false

  constructor({ direct }: Pick<Engine, "direct">) {
    this.#direct = direct
  }

  /** Handles a request that was just read from this connection. */
  handle(socket: Socket, run: () => void): void {
    if (this.#direct === undefined) return run()
    // A second request of one connection may have been sent, and read, during this turn.
    if (this.#sockets.has(socket) || this.#sockets.size === MAX_REQUESTS) this.#split()
    this.#sockets.add(socket)
    if (!this.#isEndScheduled) setImmediate(this.#end)
    this.#isEndScheduled = true
    this.#direct.withSharedSnapshot(run)
  }

  readonly #end = (): void => {
    this.#isEndScheduled = false
    this.#split()
  }

  #split(): void {
    this.#sockets.clear()
    this.#direct?.endSharedSnapshot()
  }
}
