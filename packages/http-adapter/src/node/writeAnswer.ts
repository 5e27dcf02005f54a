/** Writes an answer to a node:http response, and decides what becomes of the connection. */
import type { ServerResponse } from "node:http"
import type { Answer } from "../serve/Incoming.js"
import type { NodeIncoming } from "./NodeIncoming.js"
import type { Watch } from "./Watch.js"

/** A body that nobody wants, if it is known to be no longer than this, is thrown away and the connection kept. */
const MAX_DISCARDED_BYTES = 65_536

/** For how long a connection to be closed still takes in what the caller is sending, so that it gets to read the answer. */
const LINGER_MS = 1_000
const MAX_LINGER_BYTES = 4 * 1_048_576

/** Whether what is left of the body is not worth reading: too long, of unknown length, or held back for a `100 Continue`. */
const hasToClose = ({ unread, awaitsContinue, declaredBytes }: NodeIncoming): boolean =>
  unread && (awaitsContinue || declaredBytes === undefined || declaredBytes > MAX_DISCARDED_BYTES)

export const writeAnswer = (
  response: ServerResponse,
  incoming: NodeIncoming,
  { status, headers, body }: Answer,
  watch: Watch
): void => {
  if (response.destroyed) return watch.ended(response)
  const length = body === null ? 0 : Buffer.byteLength(body)
  if (body !== null) headers.push("Content-Length", String(length))
  const close = hasToClose(incoming)
  if (close || watch.isClosing()) headers.push("Connection", "close")
  response.writeHead(status, headers)
  if (!close) {
    if (body === null || incoming.method === "HEAD") response.end()
    else response.end(body, encodingOf(body, length))
    watch.ended(response)
    return
  }
  if (body !== null && incoming.method !== "HEAD") response.write(body)
  else response.flushHeaders()
  linger(response, watch)
}

/** As many bytes as characters: the text is ASCII, which node writes faster when it need not encode it. */
const encodingOf = (body: string, length: number): "latin1" | "utf8" =>
  length === body.length ? "latin1" : "utf8"

/**
 * The answer is out in full; the connection is closed once the caller has stopped sending, closed it, or gone on for too
 * long. Closing at once, with bytes unread, would make the system drop the answer on its way (RFC 9112 §9.6).
 */
const linger = (response: ServerResponse, watch: Watch): void => {
  const { req: request } = response
  let size = 0
  const end = () => {
    clearTimeout(timer)
    if (!response.writableEnded) response.end()
    watch.ended(response)
  }
  const timer = setTimeout(end, LINGER_MS)
  request.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_LINGER_BYTES) end()
  })
  request.on("end", end)
  request.on("close", end)
  request.resume()
}
