/**
 * The service: route → admit → decode → engine → encode. The order of checks is fixed, and the first that fails is
 * answered: key, ban and limits; path; method; version; stability and sunset; path parameter; query; body.
 */
import { type Admission, type Engine, InvalidParameter, type Origin } from "@petstore/core"
import { Effect, Either } from "effect"
import { compileOperations, type Operation } from "../compile/Operation.js"
import { NO_QUERY, type ReadQuery } from "../compile/QueryReader.js"
import { makeRouter, type Route } from "../compile/Router.js"
import { MalformedRequest, MethodNotAllowed, RouteNotFound, TargetTooLong } from "../contract/Refusals.js"
import { attemptOf } from "./attempt.js"
import { makeCors } from "./cors.js"
import { conditionOf } from "./EntityTag.js"
import type { Exchange } from "./Exchange.js"
import type { Incoming, Service } from "./Incoming.js"
import { type ServiceOptions, settingsOf } from "./Options.js"
import { makeOutside } from "./outside.js"
import { readBody } from "./readBody.js"
import { readParameter } from "./readParameter.js"
import { die, refuse } from "./refuse.js"
import { render } from "./render.js"
import { requestIds } from "./requestId.js"
import { respond } from "./respond.js"
import { type Target, targetOf } from "./Target.js"
import { unservable } from "./unservable.js"

/** What a service needs of a store. */
export type ServedStore = { readonly engine: Engine }

const EVERY_METHOD = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

export const makeService = ({ engine }: ServedStore, options: ServiceOptions = {}): Service => {
  const settings = settingsOf(options)
  const route = makeRouter(compileOperations(engine.shop, settings))
  const outside = makeOutside(settings)
  const cors = makeCors(settings.cors)
  const requestIdOf = requestIds()

  /** Runs the operation on decoded input, and answers. */
  const run = (exchange: Exchange, operation: Operation, query: ReadQuery, body: unknown): void => {
    const condition = conditionOf(exchange, operation)
    if (condition instanceof Error) return refuse(exchange, condition)
    const attempt = attemptOf(exchange, operation, body, condition)
    if (attempt instanceof InvalidParameter) return refuse(exchange, attempt)
    const rendered = operation.handler.start(engine, {
      origin: originOf(exchange),
      id: exchange.id ?? 0,
      query: query.values,
      body,
      condition,
      attempt
    })
    if (!(rendered instanceof Promise)) return render(exchange, operation, query, rendered)
    rendered
      .then((later) => render(exchange, operation, query, later))
      .catch((cause: unknown) => die(exchange, cause))
  }

  const decode = (exchange: Exchange, operation: Operation, queryText: string): void => {
    const parameter = readParameter(exchange, operation)
    if (parameter !== undefined) return refuse(exchange, parameter)
    let query = NO_QUERY
    if (queryText !== "") {
      const read = operation.readQuery(queryText)
      if (Either.isLeft(read)) return refuse(exchange, read.left)
      query = read.right
    }
    if (operation.decodeBody === undefined) return run(exchange, operation, query, undefined)
    readBody(exchange, operation, (body) => {
      try {
        if (Either.isRight(body)) run(exchange, operation, query, body.right)
        else refuse(exchange, body.left)
      } catch (cause) {
        die(exchange, cause)
      }
    })
  }

  const proceed = (
    exchange: Exchange,
    admission: Admission,
    found: Route<Operation> | undefined,
    query: string
  ): void => {
    exchange.standing = admission
    if (!admission.admitted) return refuse(exchange, admission.refusal)
    exchange.caller = admission.caller
    const { operation } = exchange
    if (exchange.incoming.fault !== undefined) {
      return refuse(exchange, new MalformedRequest({ fault: exchange.incoming.fault }))
    }
    const { maxTargetBytes } = settings
    if (exchange.incoming.target.length > maxTargetBytes)
      return refuse(exchange, new TargetTooLong({ maxTargetBytes }))
    if (found === undefined) return refuse(exchange, new RouteNotFound())
    if (operation === undefined) return refuse(exchange, new MethodNotAllowed({ allow: found.allow }))
    if (operation.lifecycle !== undefined) {
      engine.deprecations.note(admission.caller.accountId, operation.id, exchange.nowMs)
    }
    const refusal = unservable(exchange, operation)
    return refusal === undefined ? decode(exchange, operation, query) : refuse(exchange, refusal)
  }

  const admit = (exchange: Exchange, found: Route<Operation> | undefined, query: string): void => {
    const { incoming, nowMs } = exchange
    const admission = engine.gate.admit(presentedBy(incoming), nowMs)
    if (!(admission instanceof Promise)) return proceed(exchange, admission, found, query)
    admission
      .then((decided) => proceed(exchange, decided, found, query))
      .catch((cause: unknown) => die(exchange, cause))
  }

  /** OPTIONS needs no key and is not counted; it tells the limits of the address all the same, as every response does. */
  const answerOptions = (exchange: Exchange, allow: string): void => {
    const standing = engine.gate.addressStanding(exchange.incoming.address, exchange.nowMs)
    Effect.runPromise(Effect.either(standing))
      .then((told) => {
        exchange.standing = Either.getOrUndefined(told)
        return respond(exchange, { status: 204, body: null, headers: ["Allow", allow] })
      })
      .catch((cause: unknown) => die(exchange, cause))
  }

  return (incoming, asked) => {
    const reply = cors === undefined ? asked : cors.opened(incoming, asked)
    const { path, query }: Target = targetOf(incoming.target)
    const match = route(path)
    if (match === undefined && outside(path, incoming, reply)) return
    const exchange: Exchange = {
      settings,
      incoming,
      reply,
      nowMs: engine.nowMs(),
      requestId: requestIdOf(incoming.header("x-request-id")),
      standing: undefined,
      caller: undefined,
      operation: match?.route.byMethod.get(incoming.method),
      parameter: match?.parameter ?? "",
      id: undefined,
      replayed: false,
      answered: false
    }
    try {
      if (
        incoming.method === "OPTIONS" &&
        (match !== undefined || path === "*" || cors?.isPreflight(incoming) === true)
      ) {
        answerOptions(exchange, match?.route.allow ?? EVERY_METHOD)
      } else {
        admit(exchange, match?.route, query)
      }
    } catch (cause) {
      die(exchange, cause)
    }
  }
}

const originOf = ({ nowMs, requestId, caller }: Exchange): Origin =>
  caller === undefined ? { nowMs, requestId } : { nowMs, requestId, accountId: caller.accountId }

const presentedBy = (incoming: Incoming) => ({
  apiKey: incoming.values("x-api-key"),
  authorization: incoming.values("authorization"),
  address: incoming.address
})
