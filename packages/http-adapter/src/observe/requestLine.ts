/** Requests and failures as lines of JSON. No input breaks a line or acts on a terminal. */
import { withoutKeys } from "../exchange/keyText.js"
import type { RequestReport } from "../exchange/RequestReport.js"

/** JSON does not escape these characters, but terminals and log readers act on them. */
// oxlint-disable-next-line no-control-regex -- it matches control characters
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff]/g

const escape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** A record as one line of JSON without a line break. Leaves out undefined members. */
export const jsonLine = (record: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(record).replace(UNSAFE, escape)

/** To microseconds. */
const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000

const EVENTS = { answered: "request", vanished: "caller_vanished", cut: "request_cut" } as const

/** A report as one line of JSON. */
export const requestLine = (report: RequestReport): string =>
  jsonLine({
    time: new Date(report.timeMs).toISOString(),
    level: "info",
    event: EVENTS[report.outcome],
    requestId: report.requestId === "" ? undefined : report.requestId,
    operation: report.operation,
    method: report.method,
    route: report.route,
    status: report.status,
    code: report.code,
    durationMs: rounded(report.durationMs),
    streamMs: report.streamMs === undefined ? undefined : rounded(report.streamMs),
    accountId: report.accountId,
    bytes: report.bytes
  })

/** The most causes of causes in a line. */
const MAX_CAUSES = 5

const describe = (cause: unknown): string =>
  withoutKeys(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause))

/** A failure as one line of JSON with its causes and its stack, without keys. */
export const failureLine = (
  timeMs: number,
  cause: unknown,
  request: { readonly requestId: string; readonly operation: string | undefined }
): string => {
  const causes: Array<string> = []
  let at = cause
  let innermost = cause
  while (at !== undefined && at !== null && causes.length < MAX_CAUSES) {
    causes.push(describe(at))
    innermost = at
    at = at instanceof Error ? at.cause : undefined
  }
  return jsonLine({
    time: new Date(timeMs).toISOString(),
    level: "error",
    event: "failure",
    requestId: request.requestId === "" ? undefined : request.requestId,
    operation: request.operation,
    error: causes[0] ?? String(cause),
    causes: causes.length > 1 ? causes.slice(1) : undefined,
    stack:
      innermost instanceof Error && innermost.stack !== undefined
        ? withoutKeys(innermost.stack)
        : undefined
  })
}
