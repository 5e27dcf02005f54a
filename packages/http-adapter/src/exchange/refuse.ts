/**
 * Answers an exchange with an error: `{code, message, status}`, or as problem details (RFC 9457).
 */
import { StorageError } from "@petstore/core"
import type { ErrorBody } from "../contract/ErrorBody.js"
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from "../contract/ErrorStatus.js"
import { MethodNotAllowed, opaque, type Refusal } from "../contract/errors.js"
import { accepted } from "../fields/Accept.js"
import { UNAVAILABLE_SECONDS } from "../fields/retryAfter.js"
import type { Exchange } from "./Exchange.js"
import { withoutKeys } from "./keyText.js"
import { JSON_TYPE, PROBLEM_TYPE, respond } from "./respond.js"

const bodyOf = (code: ErrorCode, message: string): ErrorBody => ({
  code,
  message: withoutKeys(message),
  status: ERROR_STATUS[code]
})

/** The error as JSON text, and its type. */
export const errorText = (code: ErrorCode, message: string, accept: string | undefined) => {
  const body = bodyOf(code, message)
  if (!accepted(accept).problem) return { body: JSON.stringify(body), type: JSON_TYPE }
  const problem = {
    type: "about:blank",
    title: STATUS_TITLE[ERROR_STATUS[code]],
    detail: body.message,
    ...body
  }
  return { body: JSON.stringify(problem), type: PROBLEM_TYPE }
}

const headersOf = (status: number, code: ErrorCode, refusal: Refusal): ReadonlyArray<string> => {
  if (status === 401) {
    const problem = code === "missing_key" ? "" : ', error="invalid_token"'
    return ["WWW-Authenticate", `Bearer realm="petstore"${problem}`]
  }
  if (refusal instanceof MethodNotAllowed) return ["Allow", refusal.allow]
  if ("retryAfterSeconds" in refusal) return ["Retry-After", String(refusal.retryAfterSeconds)]
  return status === 503 ? ["Retry-After", String(UNAVAILABLE_SECONDS)] : []
}

export const refuse = (exchange: Exchange, refusal: Refusal | StorageError): void => {
  if (refusal instanceof StorageError) {
    reportFailure(exchange, refusal)
    return refuse(exchange, opaque(refusal.code))
  }
  const { code, message } = refusal
  const status = ERROR_STATUS[code]
  exchange.code = code
  const { body, type } = errorText(code, message, exchange.incoming.header("accept"))
  respond(exchange, { status, body, type, headers: headersOf(status, code, refusal) })
}

/** Answers 500 for an unexpected failure and reports it to the host. */
export const die = (exchange: Exchange, cause: unknown): void => {
  reportFailure(exchange, cause)
  refuse(exchange, opaque("internal"))
}

/** Ignores an error in the hook: the caller still has to be answered. */
const reportFailure = (exchange: Exchange, cause: unknown): void => {
  const { settings, requestId, operation } = exchange
  exchange.cause = cause
  try {
    settings.onError(cause, { requestId, operation: operation?.id })
  } catch {
    // There is no caller left to report it to.
  }
}
