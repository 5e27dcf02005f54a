/**
 * Requests that a caller has sent without waiting for answers. They are taken in order, and no more of them are read from a connection
 * that has too many waiting, until some are answered; what one read has brought (up to 64 KiB) is taken in all the same.
 */
import type { Socket } from "node:net"
import { nextTick } from "./timers.js"

type Waiting = { count: number; isPaused: boolean }

export class InFlight {
  readonly #max: number
  readonly #waiting = new WeakMap<Socket, Waiting>()

  constructor(max: number) {
    this.#max = max
  }

  isWaiting(socket: Socket): boolean {
    return (this.#waiting.get(socket)?.count ?? 0) > 0
  }

  /** A request waits for its turn. */
  enter(socket: Socket): void {
    let waiting = this.#waiting.get(socket)
    if (waiting === undefined) this.#waiting.set(socket, (waiting = { count: 0, isPaused: false }))
    waiting.count++
    if (waiting.isPaused || waiting.count < this.#max) return
    const paused = waiting
    paused.isPaused = true
    // Node's parser resumes the connection after each request it finds in what was read, so pausing has to wait until it is through.
    nextTick(() => paused.isPaused && socket.pause())
  }

  /** Its turn has come. */
  leave(socket: Socket): void {
    const waiting = this.#waiting.get(socket)
    if (waiting === undefined) return
    waiting.count--
    if (!waiting.isPaused || waiting.count > this.#max / 2) return
    waiting.isPaused = false
    socket.resume()
  }
}
