/**
 * Bounds pipelined requests: those that a caller sent without waiting for answers. They run in
 * order. A connection with too many of them is paused until some are answered. Requests that were
 * already read (up to 64 KiB) are taken all the same.
 */
import type { Socket } from "node:net"
import { nextTick } from "./timers.js"

type Queue = { count: number; isPaused: boolean }

export class InFlight {
  readonly #max: number
  readonly #queues = new WeakMap<Socket, Queue>()

  constructor(max: number) {
    this.#max = max
  }

  isWaiting(socket: Socket): boolean {
    return (this.#queues.get(socket)?.count ?? 0) > 0
  }

  /** A request waits for the answer to an earlier one. */
  enter(socket: Socket): void {
    let queue = this.#queues.get(socket)
    if (queue === undefined) this.#queues.set(socket, (queue = { count: 0, isPaused: false }))
    queue.count++
    if (queue.isPaused || queue.count < this.#max) return
    const paused = queue
    paused.isPaused = true
    // Node's parser resumes the connection after each request that it finds in one read.
    nextTick(() => paused.isPaused && socket.pause())
  }

  /** A request begins. */
  leave(socket: Socket): void {
    const queue = this.#queues.get(socket)
    if (queue === undefined) return
    queue.count--
    if (!queue.isPaused || queue.count > this.#max / 2) return
    queue.isPaused = false
    socket.resume()
  }
}
