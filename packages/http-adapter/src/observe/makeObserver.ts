/** Reports each request to the host's hook, the metrics and the tracer. */
import type { Exchange, Observer } from "../exchange/Exchange.js"
import type { Answer, Incoming } from "../exchange/Incoming.js"
import type { Settings } from "../exchange/Options.js"
import { methodName, type RequestReport, type Reporter, safely } from "../exchange/RequestReport.js"
import { monotonicMs } from "../timers.js"
import type { Metrics } from "./Metrics.js"
import { makeSpan } from "./spans.js"

/** Undefined without a receiver of reports: then nothing is measured. */
export const makeObserver = (
  { onRequest, tracer }: Settings,
  metrics: Metrics | undefined
): Observer | undefined => {
  const reporters: Array<Reporter> = []
  if (metrics !== undefined) reporters.push(metrics.request)
  if (onRequest !== undefined) reporters.push(safely(onRequest))
  if (reporters.length === 0 && tracer === undefined) return undefined

  const send = (report: RequestReport, incoming: Incoming): void => {
    for (const reporter of reporters) reporter(report)
    if (tracer !== undefined)
      safely((each) => makeSpan(tracer, each, incoming.header("traceparent")))(report)
  }

  const sendFor = (
    { nowMs, requestId, operation, incoming, route, code, startedMs, caller, cause }: Exchange,
    endMs: number,
    end: Pick<RequestReport, "status" | "streamMs" | "bytes" | "outcome">
  ): void =>
    send(
      {
        ...end,
        timeMs: nowMs,
        requestId,
        operation: operation?.id,
        method: methodName(incoming.method),
        route,
        code,
        durationMs: endMs - startedMs,
        accountId: caller?.accountId,
        cause
      },
      incoming
    )

  return {
    reply: (exchange, answer) => {
      const { status, stream } = answer
      const answeredMs = monotonicMs()
      exchange.reply(answer, (bytes) =>
        sendFor(exchange, answeredMs, {
          status,
          streamMs: stream === undefined ? undefined : monotonicMs() - answeredMs,
          ...delivery(bytes)
        })
      )
    },
    gone: (exchange, outcome) => {
      if (exchange.answered) return
      exchange.answered = true
      sendFor(exchange, monotonicMs(), {
        status: undefined,
        streamMs: undefined,
        bytes: 0,
        outcome
      })
    },
    builtinRoute: (incoming, route, timeMs, reply) => {
      const startedMs = monotonicMs()
      return (answer: Answer) =>
        reply(answer, (bytes) =>
          send(
            {
              timeMs,
              requestId: "",
              operation: undefined,
              method: methodName(incoming.method),
              route,
              status: answer.status,
              code: undefined,
              durationMs: monotonicMs() - startedMs,
              streamMs: undefined,
              accountId: undefined,
              cause: undefined,
              ...delivery(bytes)
            },
            incoming
          )
        )
    }
  }
}

/** `bytes` is undefined where the caller had disconnected. */
const delivery = (bytes: number | undefined): Pick<RequestReport, "bytes" | "outcome"> => ({
  bytes: bytes ?? 0,
  outcome: bytes === undefined ? "vanished" : "answered"
})
