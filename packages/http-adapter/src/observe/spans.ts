/** Makes the span of a request when it is over, with its real start and end. */
import * as Headers from "@effect/platform/Headers"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import type { RequestReport } from "../exchange/RequestReport.js"

const nanosOf = (ms: number): bigint => BigInt(Math.round(ms * 1_000)) * 1_000n

/** The span that a caller's `traceparent` (W3C Trace Context) names as this one's parent. */
const parentOf = (traceparent: string | undefined): Option.Option<Tracer.AnySpan> =>
  traceparent === undefined
    ? Option.none()
    : HttpTraceContext.w3c(Headers.fromInput({ traceparent }))

export const makeSpan = (
  tracer: Tracer.Tracer,
  report: RequestReport,
  traceparent: string | undefined
): void => {
  const { operation, method, route, status, code, timeMs, durationMs, cause } = report
  const startTime = nanosOf(timeMs)
  const name = operation ?? (route === undefined ? method : `${method} ${route}`)
  const span = tracer.span(name, parentOf(traceparent), Context.empty(), [], startTime, "server")
  span.attribute("http.request.method", method)
  if (route !== undefined) span.attribute("http.route", route)
  if (status !== undefined) span.attribute("http.response.status_code", status)
  if (code !== undefined) span.attribute("error.type", code)
  if (report.requestId !== "") span.attribute("petstore.request_id", report.requestId)
  if (report.accountId !== undefined) span.attribute("petstore.account_id", report.accountId)
  if (report.outcome === "vanished") span.attribute("petstore.caller_vanished", true)
  span.attribute("http.response.body.size", report.bytes)
  const failed = status !== undefined && status >= 500
  span.end(startTime + nanosOf(durationMs), failed ? Exit.die(cause ?? new Error(code)) : Exit.void)
}
