/**
 * The service: route → admit → decode → engine → encode. The first failed check is answered, in
 * this order: key, ban and limits; path; method; version; stability and sunset; path parameter;
 * query; body.
 */
import { KeyBanned } from "@petstore/core"
import { type Admission, andThen, type Engine, isPromise } from "@petstore/core/adapter"
import * as Either from "effect/Either"
import { compileOperations, type Operation } from "../compile/Operation.js"
import { NO_QUERY } from "../compile/QueryReader.js"
import { makeRouter, type Route } from "../compile/Router.js"
import {
  MalformedRequest,
  MethodNotAllowed,
  RouteNotFound,
  ShuttingDown,
  TargetTooLong
} from "../contract/errors.js"
import { makeCors } from "./cors.js"
import { credentialsOf } from "./credentialsOf.js"
import type { DocsPage } from "../docs/DocsPage.js"
import { engineOf } from "./engineOf.js"
import { makeAnswerEvents } from "../events/answerEvents.js"
import { makeStreams, STOPPING } from "../events/Streams.js"
import type { Exchange } from "../exchange/Exchange.js"
import type { Incoming, Reply, Service } from "../exchange/Incoming.js"
import { type Gauge, Metrics } from "../observe/Metrics.js"
import { makeObserver } from "../observe/makeObserver.js"
import { type ServiceOptions, settingsOf } from "../exchange/Options.js"
import { makeBuiltinRoutes } from "./builtinRoutes.js"
import { readBody } from "./readBody.js"
import { readParameter } from "./readParameter.js"
import { die, refuse } from "../exchange/refuse.js"
import { requestIds } from "../exchange/requestId.js"
import { respond } from "../exchange/respond.js"
import { makeRunOperation } from "./runOperation.js"
import { streamsGauge } from "./streamsGauge.js"
import { monotonicMs } from "../timers.js"
import { type Target, targetOf } from "./Target.js"
import { unservable } from "./unservable.js"

/** A store that can be served. */
export type ServedStore = { readonly engine: Engine }

const EVERY_METHOD = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

/** What a service needs to know of its server. */
type ServerState = {
  /** Further metrics. */
  readonly gauges: () => ReadonlyArray<Gauge>
  /** Whether new requests are refused. */
  readonly isClosing: () => boolean
}

const NO_SERVER: ServerState = { gauges: () => [], isClosing: () => false }

export const makeService = (
  store: ServedStore,
  page: DocsPage,
  options: ServiceOptions = {},
  { gauges, isClosing }: ServerState = NO_SERVER
): Service => {
  const engine = engineOf(store)
  const isReady = () => engine.isReady() && (options.isReady?.() ?? true)
  const settings = settingsOf({ ...options, isReady })
  const metrics = settings.metrics ? new Metrics() : undefined
  const observer = makeObserver(settings, metrics)
  const route = makeRouter(compileOperations(engine.shop, settings))
  const streams = makeStreams(engine, settings, isClosing)
  const run = makeRunOperation(engine, metrics, makeAnswerEvents(engine, streams))
  const metricsText = () => metrics?.text([streamsGauge(streams.count()), ...gauges()]) ?? ""
  const builtinRoutes = makeBuiltinRoutes(
    settings,
    page,
    metrics === undefined ? undefined : settings.gatherMetrics(metricsText)
  )
  const cors = makeCors(settings.cors)
  const requestIdOf = requestIds(engine.randomBytes)

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
    matched: Route<Operation> | undefined,
    query: string
  ): void => {
    exchange.standing = admission
    if (!admission.admitted) {
      if (admission.refusal instanceof KeyBanned) metrics?.banned(admission.refusal)
      return refuse(exchange, admission.refusal)
    }
    exchange.caller = admission.caller
    const { operation } = exchange
    if (exchange.incoming.fault !== undefined) {
      return refuse(exchange, new MalformedRequest({ fault: exchange.incoming.fault }))
    }
    const { maxTargetBytes } = settings
    if (exchange.incoming.target.length > maxTargetBytes)
      return refuse(exchange, new TargetTooLong({ maxTargetBytes }))
    if (matched === undefined) return refuse(exchange, new RouteNotFound())
    if (operation === undefined)
      return refuse(exchange, new MethodNotAllowed({ allow: matched.allow }))
    if (operation.lifecycle !== undefined) {
      engine.deprecations.note(admission.caller.accountId, operation.id, exchange.nowMs)
    }
    const refusal = unservable(exchange, operation)
    return refusal === undefined ? decode(exchange, operation, query) : refuse(exchange, refusal)
  }

  const admit = (
    exchange: Exchange,
    matched: Route<Operation> | undefined,
    query: string
  ): void => {
    const { incoming, nowMs } = exchange
    const admission = andThen(incoming.account(), (accountId) =>
      accountId === undefined
        ? engine.authenticator.admit(credentialsOf(incoming), nowMs)
        : engine.authenticator.admitAccount(accountId, incoming.address, nowMs)
    )
    if (!isPromise(admission)) return proceed(exchange, admission, matched, query)
    admission
      .then((decision) => proceed(exchange, decision, matched, query))
      .catch((cause: unknown) => die(exchange, cause))
  }

  /**
   * Answers without a key and without counting. The limits in the answer are those of the address.
   */
  const answerFree = (exchange: Exchange, answer: () => void): void => {
    exchange.standing = engine.authenticator.addressStanding(
      exchange.incoming.address,
      exchange.nowMs
    )
    answer()
  }

  const answer = (incoming: Incoming, rawReply: Reply): void => {
    const reply = cors === undefined ? rawReply : cors.withCors(incoming, rawReply)
    const { path, query }: Target = targetOf(incoming.target)
    const match = route(path)
    const local = match === undefined ? builtinRoutes.find(path) : undefined
    if (local !== undefined) {
      return builtinRoutes.answer(
        local,
        incoming,
        observer?.builtinRoute(incoming, local, engine.nowMs(), reply) ?? reply
      )
    }
    const exchange: Exchange = {
      settings,
      incoming,
      reply,
      nowMs: engine.nowMs(),
      requestId: requestIdOf(incoming.header("x-request-id")),
      standing: undefined,
      caller: undefined,
      route: match?.route.template,
      operation: match?.route.byMethod.get(incoming.method),
      parameter: match?.parameter ?? "",
      id: undefined,
      replayed: false,
      code: undefined,
      cause: undefined,
      observer,
      startedMs: observer === undefined ? 0 : monotonicMs(),
      answered: false
    }
    try {
      if (
        incoming.method === "OPTIONS" &&
        (match !== undefined || path === "*" || cors?.isPreflight(incoming) === true)
      ) {
        const allow = match?.route.allow ?? EVERY_METHOD
        answerFree(exchange, () =>
          respond(exchange, { status: 204, body: null, headers: ["Allow", allow] })
        )
      } else if (!engine.isOpen() || (isClosing() && !isStream(exchange.operation))) {
        answerFree(exchange, () => refuse(exchange, new ShuttingDown()))
      } else {
        admit(exchange, match?.route, query)
      }
    } catch (cause) {
      die(exchange, cause)
    }
  }

  return Object.assign(answer, { endStreams: () => streams.endAll(STOPPING) })
}

/**
 * A closing service opens streams and ends them at once: a browser reconnects after an end, but not
 * after a 503.
 */
const isStream = (operation: Operation | undefined): boolean =>
  operation !== undefined && operation.handler === undefined
