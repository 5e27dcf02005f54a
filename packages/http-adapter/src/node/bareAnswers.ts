/**
 * Answers that are given without a request: node's parser refused it, or there are too many
 * connections. No caller is known, so nothing is counted, and the limits are those of the address.
 */
import type { ServerResponse } from "node:http"
import { type UnparsedCode, unparsed } from "../contract/errors.js"
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from "../contract/ErrorStatus.js"
import { API_VERSION } from "../contract/PetStoreApi.js"
import { errorText } from "../exchange/refuse.js"
import { UNAVAILABLE_SECONDS } from "../fields/retryAfter.js"

const CODES: Readonly<Record<string, UnparsedCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout"
}

/** The code that an error of node's parser is answered with. */
export const parsedCode = ({ code = "" }: NodeJS.ErrnoException): UnparsedCode =>
  CODES[code] ?? "malformed_request"

/**
 * `fields` come first, `last` before the field of the connection; both alternate names and values.
 */
const bareAnswer = (
  code: ErrorCode,
  message: string,
  fields: ReadonlyArray<string>,
  last: ReadonlyArray<string> = []
) => {
  const { body, type } = errorText(code, message, undefined)
  return {
    status: ERROR_STATUS[code],
    body,
    headers: [
      ...fields,
      "Content-Type",
      type,
      "Content-Length",
      String(Buffer.byteLength(body)),
      "Cache-Control",
      "no-store",
      "X-API-Version",
      API_VERSION,
      ...last,
      "Connection",
      "close"
    ]
  }
}

const textOf = ({ status, headers, body }: ReturnType<typeof bareAnswer>): string => {
  const lines = headers.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${headers[at + 1] ?? ""}`] : []
  )
  return [`HTTP/1.1 ${status} ${STATUS_TITLE[status]}`, ...lines, "", body].join("\r\n")
}

/** The answer to a request that node's parser refuses. */
export const parserText = (code: UnparsedCode, fields: ReadonlyArray<string>): string =>
  textOf(bareAnswer(code, unparsed(code).message, fields))

/** The answer to CONNECT, which node hands over as a bare connection: this is no proxy. */
export const tunnelText = (fields: ReadonlyArray<string>): string => {
  const allow = ["Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]
  const message = "CONNECT is for proxies: send the request itself"
  return textOf(bareAnswer("method_not_allowed", message, [...fields, ...allow]))
}

/** Answers on a connection beyond the bound, without looking at the request. */
export const refuseExcess = (
  response: ServerResponse,
  fieldsFor: (address: string) => ReadonlyArray<string>
): void => {
  const fields = fieldsFor(response.socket?.remoteAddress ?? "unknown")
  const message = "there are too many connections: try again in a moment"
  const retryAfter = ["Retry-After", String(UNAVAILABLE_SECONDS)]
  const { status, headers, body } = bareAnswer("unavailable", message, fields, retryAfter)
  response.writeHead(status, headers)
  response.end(body)
}
