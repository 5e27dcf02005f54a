/** Runs an operation on decoded input, and answers: at once where the storage does, else when it has. */
import { type Engine, InvalidParameter, type RequestContext } from "@petstore/core"
import type { Outcome } from "../compile/Handler.js"
import type { Operation } from "../compile/Operation.js"
import { monotonicMs } from "../timers.js"
import type { ReadQuery } from "../compile/QueryReader.js"
import { attemptOf } from "./attempt.js"
import { conditionOf } from "./EntityTag.js"
import type { AnswerEvents } from "./events/answerEvents.js"
import type { Exchange } from "./Exchange.js"
import type { Metrics } from "./Metrics.js"
import { die, refuse } from "./refuse.js"
import { render } from "./render.js"

export const makeRunOperation =
  (engine: Engine, metrics: Metrics | undefined, answerEvents: AnswerEvents) =>
  (exchange: Exchange, operation: Operation, query: ReadQuery, body: unknown): void => {
    const { handler } = operation
    if (handler === undefined) return answerEvents(exchange, query.values)
    const condition = conditionOf(exchange, operation)
    if (condition instanceof Error) return refuse(exchange, condition)
    const attempt = attemptOf(exchange, operation, body, condition)
    if (attempt instanceof InvalidParameter) return refuse(exchange, attempt)
    const startedMs = metrics !== undefined && exchange.startedMs > 0 ? monotonicMs() : 0
    const rendered = handler.start(engine, {
      context: contextOf(exchange),
      id: exchange.id ?? 0,
      query: query.values,
      body,
      condition,
      attempt
    })
    const kind = operation.method === "GET" ? "read" : "write"
    if (!(rendered instanceof Promise)) {
      if (startedMs > 0) {
        exchange.storedMs = monotonicMs()
        metrics?.stored(kind, exchange.storedMs - startedMs)
      }
      return render(exchange, operation, query, rendered)
    }
    if (metrics !== undefined) metrics.waiting[kind]++
    const ended = () => {
      if (metrics === undefined) return
      metrics.waiting[kind]--
      if (startedMs > 0) metrics.stored(kind, monotonicMs() - startedMs)
    }
    const answered = (later: Outcome): void => {
      try {
        ended()
        render(exchange, operation, query, later)
      } catch (cause) {
        die(exchange, cause)
      }
    }
    const failed = (cause: unknown): void => {
      ended()
      die(exchange, cause)
    }
    // One promise rather than one for each of `finally`, `then` and `catch`.
    void rendered.then(answered, failed)
  }

const contextOf = ({ nowMs, requestId, caller }: Exchange): RequestContext =>
  caller === undefined ? { nowMs, requestId } : { nowMs, requestId, accountId: caller.accountId }
