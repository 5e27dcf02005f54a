/** Writes an answer to a node:http response, and decides what becomes of the connection. */
import type { ServerResponse } from "node:http"
import { codedTag } from "../fields/EntityTag.js"
import type { Answer, OnDelivered } from "../exchange/Incoming.js"
import { clearTimeout, setTimeout } from "../timers.js"
import { writeStream } from "./writeStream.js"
import { type Coding, codingFor, encode, MIN_ENCODED_BYTES } from "./compress.js"
import type { NodeIncoming } from "./NodeIncoming.js"
import type { Watch } from "./Watch.js"

/** A body that nobody wants, if it is known to be no longer than this, is thrown away and the connection kept. */
const MAX_DISCARDED_BYTES = 65_536

/** For how long a connection to be closed still takes in what the caller is sending, so that it gets to read the answer. */
const LINGER_MS = 1_000
const MAX_LINGER_BYTES = 4 * 1_048_576

/**
 * Whether what is left of the body is not worth reading: too long, of unknown length, held back for
 * a `100 Continue`, or taken by the host.
 */
const hasToClose = ({ unread, isTaken, awaitsContinue, declaredBytes }: NodeIncoming): boolean =>
  unread && (isTaken || awaitsContinue || declaredBytes === undefined || declaredBytes > MAX_DISCARDED_BYTES)

export type WriteOptions = { readonly watch: Watch; readonly compression: boolean }

export const writeAnswer = (
  response: ServerResponse,
  incoming: NodeIncoming,
  answer: Answer,
  { watch, compression }: WriteOptions,
  delivered?: OnDelivered
): void => {
  if (response.destroyed) return lost(response, watch, delivered)
  const { body, stream } = answer
  if (stream !== undefined) return writeStream(response, incoming, answer, stream, watch, delivered)
  if (body === null) return write(response, incoming, answer, null, 0, watch, delivered)
  const length = Buffer.byteLength(body)
  if (!compression || length < MIN_ENCODED_BYTES)
    return write(response, incoming, answer, body, length, watch, delivered)
  answer.headers.push("Vary", "Accept-Encoding")
  encoded(answer, body, length, codingFor(incoming.header("accept-encoding")), (bytes) => {
    if (response.destroyed) lost(response, watch, delivered)
    else write(response, incoming, answer, bytes ?? body, bytes?.length ?? length, watch, delivered)
  })
}

/** The caller is gone, and the answer with it. */
const lost = (response: ServerResponse, watch: Watch, delivered: OnDelivered | undefined): void => {
  watch.ended(response)
  delivered?.(undefined)
}

const files = new WeakMap<object, Map<Coding, Buffer>>()

/** Encodes the body and says so in the header fields, or leaves both as they are. */
const encoded = (
  { headers, kept }: Answer,
  body: string,
  length: number,
  coding: Coding | undefined,
  done: (bytes: Buffer | undefined) => void
): void => {
  if (coding === undefined) return done(undefined)
  const finish = (bytes: Buffer | undefined) => {
    if (bytes === undefined) return done(undefined)
    headers.push("Content-Encoding", coding)
    for (let at = 0; at + 1 < headers.length; at += 2) {
      if (headers[at] === "ETag") headers[at + 1] = codedTag(headers[at + 1] ?? "", coding)
    }
    done(bytes)
  }
  const before = kept === undefined ? undefined : files.get(kept)
  const known = before?.get(coding)
  if (known !== undefined) return finish(known)
  encode(body, length, coding, (bytes) => {
    if (kept !== undefined && bytes !== undefined)
      files.set(kept, new Map([...(files.get(kept) ?? []), [coding, bytes]]))
    finish(bytes)
  })
}

const write = (
  response: ServerResponse,
  incoming: NodeIncoming,
  { status, headers }: Answer,
  body: string | Buffer | null,
  length: number,
  watch: Watch,
  delivered: OnDelivered | undefined
): void => {
  if (body !== null) headers.push("Content-Length", String(length))
  const close = hasToClose(incoming)
  if (close || watch.isEnding()) headers.push("Connection", "close")
  response.writeHead(status, headers)
  if (!close) {
    watch.send(() => {
      if (response.destroyed) return lost(response, watch, delivered)
      if (body === null || incoming.method === "HEAD") response.end()
      else if (typeof body === "string") response.end(body, encodingOf(body, length))
      else response.end(body)
      watch.ended(response)
      delivered?.(incoming.method === "HEAD" ? 0 : length)
    })
    return
  }
  if (body !== null && incoming.method !== "HEAD") response.write(body)
  else response.flushHeaders()
  delivered?.(incoming.method === "HEAD" ? 0 : length)
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
  if (watch.failedBody(request) !== undefined) return watch.ended(response)
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
  return undefined
}
