/**
 * Requests that have come in together, and are read for together: one turn of the event loop hands over whatever had arrived when it
 * began. So what somebody changes elsewhere applies to every request that is sent after it, as it does without.
 */
import type { Socket } from "node:net"
import type { Engine } from "@petstore/core"
import { setImmediate } from "../timers.js"

/** The system tells of so many connections at once, at most 1,024; whatever it tells of after that, one look is not shared for long. */
const MOST = 64

export class RequestBatch {
  readonly #direct: Engine["direct"]
  readonly #sockets = new Set<Socket>()
  #isEnding = false

  constructor({ direct }: Pick<Engine, "direct">) {
    this.#direct = direct
  }

  /** Handles a request that was just read from this connection. */
  handle(socket: Socket, run: () => void): void {
    if (this.#direct === undefined) return run()
    // A second request on one connection may have been sent, and read, while the turn went on.
    if (this.#sockets.has(socket) || this.#sockets.size === MOST) this.#part()
    this.#sockets.add(socket)
    if (!this.#isEnding) setImmediate(this.#end)
    this.#isEnding = true
    this.#direct.together(run)
  }

  readonly #end = (): void => {
    this.#isEnding = false
    this.#part()
  }

  #part(): void {
    this.#sockets.clear()
    this.#direct?.apart()
  }
}
