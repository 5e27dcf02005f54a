/**
 * What is answered without a request: node's parser has refused it, or there are too many
 * connections. No caller is known, so nothing is counted, and the limits told are those of the
 * address.
 */
import type { ServerResponse } from "node:http"
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from "../contract/ErrorStatus.js"
import { type UnparsedCode, unparsed } from "../contract/errors.js"
import { API_VERSION } from "../contract/PetStoreApi.js"
import { errorText } from "../exchange/refuse.js"

const CODES: Readonly<Record<string, UnparsedCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout"
}

/** Names and values in turns, as lines. */
const linesOf = (fields: ReadonlyArray<string>): ReadonlyArray<string> =>
  fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${fields[at + 1] ?? ""}`] : []))

/** The code that an error of node's parser is answered with. */
export const parsedCode = ({ code = "" }: NodeJS.ErrnoException): UnparsedCode =>
  CODES[code] ?? "malformed_request"

const textOf = (code: ErrorCode, message: string, fields: ReadonlyArray<string>): string => {
  const status = ERROR_STATUS[code]
  const { body, type } = errorText(code, message, undefined)
  return [
    `HTTP/1.1 ${status} ${STATUS_TITLE[status]}`,
    ...linesOf(fields),
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `X-API-Version: ${API_VERSION}`,
    "Connection: close",
    "",
    body
  ].join("\r\n")
}

/** The answer to what node's parser refuses, with the fields that every response has. */
export const parserText = (code: UnparsedCode, fields: ReadonlyArray<string>): string =>
  textOf(code, unparsed(code).message, fields)

/** The answer to CONNECT, which node hands over as a bare connection: this is no proxy. */
export const tunnelText = (fields: ReadonlyArray<string>): string => {
  const allow = ["Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]
  const message = "CONNECT is for proxies: send the request itself"
  return textOf("method_not_allowed", message, [...fields, ...allow])
}

/** Answers on a connection that is one too many: no more is looked at than that there is a request. */
export const refuseExcess = (
  response: ServerResponse,
  fieldsFor: (address: string) => ReadonlyArray<string>
): void => {
  const { body, type } = errorText(
    "unavailable",
    "there are too many connections: try again in a moment",
    undefined
  )
  response.writeHead(503, [
    ...fieldsFor(response.socket?.remoteAddress ?? "unknown"),
    "Content-Type",
    type,
    "Content-Length",
    String(Buffer.byteLength(body)),
    "Cache-Control",
    "no-store",
    "X-API-Version",
    API_VERSION,
    "Retry-After",
    "1",
    "Connection",
    "close"
  ])
  response.end(body)
}
