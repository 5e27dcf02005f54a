/** Writes an answer to a node:http response, and decides whether the connection stays open. */
import type { ServerResponse } from "node:http"
import type { Answer, OnDelivered } from "../exchange/Incoming.js"
import { codedTag } from "../fields/EntityTag.js"
import { clearTimeout, setTimeout } from "../timers.js"
import { type Coding, codingFor, encode, MIN_ENCODED_BYTES } from "./compress.js"
import type { NodeIncoming } from "./NodeIncoming.js"
import type { ServerHooks } from "./ServerHooks.js"
import { writeStream } from "./writeStream.js"

/** An unread body up to this size is discarded to keep the connection. */
const MAX_DISCARDED_BYTES = 65_536

/**
 * How long, and for how many bytes, a connection that is to be closed still reads from the caller,
 * so that the caller gets to read the answer.
 */
const LINGER_MS = 1_000
const MAX_LINGER_BYTES = 4 * 1_048_576

/**
 * Whether the rest of the body is not worth reading: too long, of unknown length, waiting for a
 * `100 Continue`, or read by the host.
 */
const hasToClose = ({
  unread,
  isReadByHost,
  awaitsContinue,
  declaredBytes
}: NodeIncoming): boolean =>
  unread &&
  (isReadByHost ||
    awaitsContinue ||
    declaredBytes === undefined ||
    declaredBytes > MAX_DISCARDED_BYTES)

type WriteOptions = { readonly hooks: ServerHooks; readonly compression: boolean }

export const writeAnswer = (
  response: ServerResponse,
  incoming: NodeIncoming,
  answer: Answer,
  { hooks, compression }: WriteOptions,
  onDelivered?: OnDelivered
): void => {
  if (response.destroyed) return abandon(response, hooks, onDelivered)
  const { body, stream } = answer
  if (stream !== undefined)
    return writeStream(response, incoming, answer, stream, hooks, onDelivered)
  if (body === null) return write(response, incoming, answer, null, 0, hooks, onDelivered)
  const length = Buffer.byteLength(body)
  if (!compression || length < MIN_ENCODED_BYTES)
    return write(response, incoming, answer, body, length, hooks, onDelivered)
  answer.headers.push("Vary", "Accept-Encoding")
  encodeAnswer(answer, body, length, codingFor(incoming.header("accept-encoding")), (bytes) => {
    if (response.destroyed) abandon(response, hooks, onDelivered)
    else
      write(response, incoming, answer, bytes ?? body, bytes?.length ?? length, hooks, onDelivered)
  })
}

/** The caller has disconnected. */
const abandon = (
  response: ServerResponse,
  hooks: ServerHooks,
  onDelivered: OnDelivered | undefined
): void => {
  hooks.onEnd(response)
  onDelivered?.(undefined)
}

/** The encoded bodies of static files. */
const encodedFiles = new WeakMap<object, Map<Coding, Buffer>>()

/**
 * Encodes the body and adjusts the header fields. Calls back without bytes where neither changes.
 */
const encodeAnswer = (
  { headers, file }: Answer,
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
  const cached = file === undefined ? undefined : encodedFiles.get(file)?.get(coding)
  if (cached !== undefined) return finish(cached)
  encode(body, length, coding, (bytes) => {
    if (file !== undefined && bytes !== undefined)
      encodedFiles.set(file, new Map([...(encodedFiles.get(file) ?? []), [coding, bytes]]))
    finish(bytes)
  })
}

const write = (
  response: ServerResponse,
  incoming: NodeIncoming,
  { status, headers }: Answer,
  body: string | Buffer | null,
  length: number,
  hooks: ServerHooks,
  onDelivered: OnDelivered | undefined
): void => {
  if (body !== null) headers.push("Content-Length", String(length))
  const close = hasToClose(incoming)
  if (close || hooks.isEnding()) headers.push("Connection", "close")
  response.writeHead(status, headers)
  const isHead = incoming.method === "HEAD"
  if (!close) {
    hooks.send(() => {
      if (response.destroyed) return abandon(response, hooks, onDelivered)
      if (body === null || isHead) response.end()
      else if (typeof body === "string") response.end(body, charsetOf(body, length))
      else response.end(body)
      hooks.onEnd(response)
      onDelivered?.(isHead ? 0 : length)
    })
    return
  }
  if (body !== null && !isHead) response.write(body)
  else response.flushHeaders()
  onDelivered?.(isHead ? 0 : length)
  linger(response, hooks)
}

/** With as many bytes as characters the text is ASCII, which node writes faster as latin1. */
const charsetOf = (body: string, length: number): "latin1" | "utf8" =>
  length === body.length ? "latin1" : "utf8"

/**
 * Closes the connection once the caller has stopped sending, has closed it, or went on for too
 * long. Closing at once, with bytes unread, would make the system drop the answer on its way (RFC
 * 9112 §9.6).
 */
const linger = (response: ServerResponse, hooks: ServerHooks): void => {
  const { req: request } = response
  if (hooks.failedBody(request) !== undefined) return hooks.onEnd(response)
  let size = 0
  const end = () => {
    clearTimeout(timer)
    if (!response.writableEnded) response.end()
    hooks.onEnd(response)
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
