/** Answers what node's parser refuses before there is a request: no caller is known yet, so nothing is counted. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from "../contract/ErrorStatus.js"
import { API_VERSION } from "../contract/PetStoreApi.js"
import { errorText } from "../serve/refuse.js"

type Parsed = "malformed_request" | "request_timeout" | "headers_too_large"

const CODES: Readonly<Record<string, Parsed>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout"
}

const MESSAGES: { readonly [C in Parsed]: string } = {
  malformed_request: "this is not an HTTP/1.1 request",
  request_timeout: "the request took too long to arrive",
  headers_too_large: "the header fields of the request are too large"
}

const textOf = (code: Parsed & ErrorCode): string => {
  const status = ERROR_STATUS[code]
  const { body, type } = errorText(code, MESSAGES[code], undefined)
  return [
    `HTTP/1.1 ${status} ${STATUS_TITLE[status]}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `X-API-Version: ${API_VERSION}`,
    "Connection: close",
    "",
    body
  ].join("\r\n")
}

/** Whether the one request under way is the malformed one: its body is still arriving, and nothing was answered yet. */
const isItsBody = ([first, ...others]: ReadonlyArray<ServerResponse>): boolean =>
  first !== undefined && others.length === 0 && !first.req.complete && !first.headersSent

/**
 * `running` is what is being answered on the same connection. Where that is an earlier request, nothing may come between
 * it and its answer: the connection is cut.
 */
export const answerClientError = (
  { code = "" }: NodeJS.ErrnoException,
  socket: Socket,
  running: ReadonlyArray<ServerResponse>
): void => {
  const cut = code === "ECONNRESET" || !socket.writable || (running.length > 0 && !isItsBody(running))
  if (cut) socket.destroy()
  else socket.end(textOf(CODES[code] ?? "malformed_request"), () => socket.destroy())
}
