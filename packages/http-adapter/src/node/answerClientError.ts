/** Answers what node's parser refuses before there is a request: no caller is known yet, so nothing is counted. */
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

/** Where an earlier request of the same connection is still being answered, nothing may come between: it is cut. */
export const answerClientError = (
  { code = "" }: NodeJS.ErrnoException,
  socket: Socket,
  busy: boolean
): void => {
  if (busy || !socket.writable || code === "ECONNRESET") {
    socket.destroy()
    return
  }
  socket.end(textOf(CODES[code] ?? "malformed_request"), () => socket.destroy())
}
