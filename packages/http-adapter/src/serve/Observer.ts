/** Who is told of requests: the host's hook, the counters, the tracer. Where there is none of them, there is no observer, and nothing is measured. */
import { monotonicMs } from "../timers.js"
import type { Exchange } from "./Exchange.js"
import type { Answer, Incoming, Reply } from "./Incoming.js"
import type { Metrics } from "./Metrics.js"
import type { Settings } from "./Options.js"
import { methodName, type RequestReport, type Reporter, safely } from "./RequestReport.js"
import { makeSpan } from "./spans.js"

export type Observer = {
  /** Whether the time of the next request is taken. */
  readonly isTimed: () => boolean
  /** Sends the answer, and tells of the request. */
  readonly reply: (exchange: Exchange, answer: Answer) => void
  /** Tells of a request whose caller is gone, or was cut off, before it was there in full. */
  readonly gone: (exchange: Exchange, how: "vanished" | "cut") => void
  /** A reply that tells of a request outside the API; `route` is its path, which is one of ours. */
  readonly outside: (incoming: Incoming, route: string, timeMs: number, reply: Reply) => Reply
}

/** Counters alone take the time of one in so many requests: looking at the clock costs more than all the rest of counting. */
const TIMED_EVERY = 8

export const makeObserver = (
  { onRequest, tracer }: Settings,
  metrics: Metrics | undefined
): Observer | undefined => {
  const reporters: Array<Reporter> = []
  if (metrics !== undefined) reporters.push(metrics.request)
  if (onRequest !== undefined) reporters.push(safely(onRequest))
  if (reporters.length === 0 && tracer === undefined) return undefined

  const isExact = onRequest !== undefined || tracer !== undefined
  let turn = 0

  const tell = (report: RequestReport, incoming: Incoming): void => {
    for (const reporter of reporters) reporter(report)
    if (tracer !== undefined) safely((each) => makeSpan(tracer, each, incoming.header("traceparent")))(report)
  }

  const tellOf = (
    exchange: Exchange,
    status: number | undefined,
    bytes: number | undefined,
    outcome: RequestReport["outcome"],
    streamMs?: number
  ): void => {
    const { nowMs, requestId, operation, incoming, route, code, startedMs, storedMs, caller, cause } =
      exchange
    tell(
      {
        timeMs: nowMs,
        requestId,
        operation: operation?.id,
        method: methodName(incoming.method),
        route,
        status,
        code,
        // What comes after the storage has answered at once is not worth another look at the clock.
        durationMs: startedMs === 0 ? -1 : (storedMs === 0 ? monotonicMs() : storedMs) - startedMs,
        streamMs,
        accountId: caller?.accountId,
        bytes: bytes ?? 0,
        outcome,
        cause
      },
      incoming
    )
  }

  /** A stream is answered when it begins, however long it goes on; when that is, or -1 where nobody wants to know. */
  const begin = (exchange: Exchange): number => {
    if (exchange.startedMs === 0) return -1
    return (exchange.storedMs = monotonicMs())
  }

  return {
    isTimed: () => isExact || (turn = (turn + 1) % TIMED_EVERY) === 0,
    reply: (exchange, answer) => {
      const begunMs = answer.stream === undefined ? undefined : begin(exchange)
      exchange.reply(answer, (bytes) =>
        tellOf(
          exchange,
          answer.status,
          bytes,
          bytes === undefined ? "vanished" : "answered",
          begunMs !== undefined && begunMs > 0 ? monotonicMs() - begunMs : begunMs
        )
      )
    },
    gone: (exchange, how) => {
      if (exchange.answered) return
      exchange.answered = true
      tellOf(exchange, undefined, undefined, how)
    },
    outside: (incoming, route, timeMs, reply) => {
      const startedMs = monotonicMs()
      return (answer: Answer) =>
        reply(answer, (bytes) =>
          tell(
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
              bytes: bytes ?? 0,
              outcome: bytes === undefined ? "vanished" : "answered",
              cause: undefined
            },
            incoming
          )
        )
    }
  }
}
