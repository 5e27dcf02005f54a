/** A bare TCP connection, for requests that no HTTP client would send. */
import { connect } from "node:net"

export type RawSocket = {
  /** All that was received so far. */
  readonly received: () => string
  readonly write: (data: string | Uint8Array) => void
  /** When the received text matches; rejects when the connection closes without that. */
  readonly until: (pattern: RegExp) => Promise<string>
  /** When the other side has closed. */
  readonly closed: Promise<string>
  readonly destroy: () => void
}

export const openSocket = async (url: string): Promise<RawSocket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ""
  const waiting = new Set<() => void>()
  const notify = () => {
    for (const check of waiting) check()
  }
  const closed = new Promise<string>((resolve) => {
    socket.on("close", () => {
      notify()
      resolve(text)
    })
  })
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1")
    notify()
  })
  socket.on("error", notify)
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve)
    socket.once("error", reject)
  })
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        if (pattern.test(text)) resolve(text)
        else if (socket.destroyed) reject(new Error(`closed after ${JSON.stringify(text)}`))
        else return
        waiting.delete(check)
      }
      waiting.add(check)
      check()
    })
  return {
    received: () => text,
    write: (data) => socket.write(data),
    until,
    closed,
    destroy: () => socket.destroy()
  }
}
