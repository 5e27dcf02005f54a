/** Closes a connection so that the written bytes arrive. */
import type { Socket } from "node:net"
import { clearTimeout, setTimeout } from "../timers.js"

/** How long the other side may take to read the written bytes. */
const FLUSH_MS = 10_000

/** How long it may take to close after that. */
const LINGER_MS = 1_000

const ending = new WeakSet<Socket>()

/** Whether `endConnection` was called: nothing more is written, and incoming data is discarded. */
export const isEnding = (socket: Socket): boolean => ending.has(socket)

/**
 * Writes the text and closes our half. Discards incoming data until the other side closes too, or
 * its time is over: closing with bytes unread would make the system drop the text on its way (RFC
 * 9112 §9.6).
 */
export const endConnection = (socket: Socket, text = ""): void => {
  if (ending.has(socket) || socket.destroyed) return
  ending.add(socket)
  const destroy = () => socket.destroy()
  let timer = setTimeout(destroy, FLUSH_MS)
  const linger = (): void => {
    clearTimeout(timer)
    timer = setTimeout(destroy, LINGER_MS)
  }
  socket.once("close", () => clearTimeout(timer))
  // Node removes its own listener from a connection that it hands over, as after CONNECT.
  socket.on("error", destroy)
  if (socket.writableFinished) linger()
  else socket.once("finish", linger)
  if (socket.writable) socket.end(text)
  socket.resume()
}
