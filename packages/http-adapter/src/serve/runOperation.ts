/** Runs an operation on decoded input and answers with its result. */
import { InvalidParameter } from "@petstore/core"
import { type Engine, isPromise, type RequestContext } from "@petstore/core/adapter"
import type { Outcome } from "../compile/Handler.js"
import type { Operation } from "../compile/Operation.js"
import type { ReadQuery } from "../compile/QueryReader.js"
import type { AnswerEvents } from "../events/answerEvents.js"
import type { Exchange } from "../exchange/Exchange.js"
import { die, refuse } from "../exchange/refuse.js"
import type { Metrics } from "../observe/Metrics.js"
import { monotonicMs } from "../timers.js"
import { attemptOf } from "./attempt.js"
import { conditionOf } from "./condition.js"
import { render } from "./render.js"

/** Answers synchronously where the storage does. */
export const makeRunOperation =
  (engine: Engine, metrics: Metrics | undefined, answerEvents: AnswerEvents) =>
  (exchange: Exchange, operation: Operation, query: ReadQuery, body: unknown): void => {
    const { handler } = operation
    if (handler === undefined) return answerEvents(exchange, query.values)
    const condition = conditionOf(exchange, operation)
    if (condition instanceof Error) return refuse(exchange, condition)
    const attempt = attemptOf(exchange, operation, body, condition)
    if (attempt instanceof InvalidParameter) return refuse(exchange, attempt)
    const kind = operation.method === "GET" ? "read" : "write"
    const startedMs = metrics === undefined ? 0 : monotonicMs()
    const result = handler.start(engine, {
      context: contextOf(exchange),
      id: exchange.id ?? 0,
      query: query.values,
      body,
      condition,
      attempt
    })
    if (!isPromise(result)) {
      metrics?.stored(kind, monotonicMs() - startedMs)
      return render(exchange, operation, query, result)
    }
    if (metrics !== undefined) metrics.waiting[kind]++
    const onEnd = (): void => {
      if (metrics === undefined) return
      metrics.waiting[kind]--
      metrics.stored(kind, monotonicMs() - startedMs)
    }
    const onOutcome = (outcome: Outcome): void => {
      try {
        onEnd()
        render(exchange, operation, query, outcome)
      } catch (cause) {
        die(exchange, cause)
      }
    }
    const onFailure = (cause: unknown): void => {
      onEnd()
      die(exchange, cause)
    }
    // `then` with two callbacks makes one promise; `finally`, `then` and `catch` would make three.
    void result.then(onOutcome, onFailure)
  }

const contextOf = ({ nowMs, requestId, caller }: Exchange): RequestContext =>
  caller === undefined ? { nowMs, requestId } : { nowMs, requestId, accountId: caller.accountId }
