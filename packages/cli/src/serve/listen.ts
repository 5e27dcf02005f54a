/** Serves a store over HTTP with the options of the command line. */
import type { OpenPetStore } from "@petstore/core"
import {
  type Gauge,
  requestLine,
  serve as serveOverHttp,
  type Serving
} from "@petstore/http-adapter"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CommandFailed } from "../CommandFailed.js"
import { buildInfo } from "./buildInfo.js"
import type { DeliveryLoop } from "./DeliveryLoop.js"
import { makeFailureLog } from "./failureLog.js"
import type { Lifecycle } from "./lifecycle.js"
import type { Log } from "./log.js"
import type { ServeOptions } from "./ServeOptions.js"

/** What the server gets from the process that it is a part of. */
export type Host = {
  readonly lifecycle: Lifecycle
  readonly isReady: () => boolean
  readonly log: Log
  readonly gauges: DeliveryLoop["gauges"]
  readonly gatherMetrics?: (own: () => string) => () => Promise<string>
}

/**
 * After a signal, readiness is denied for so long before connections are, so that a load balancer
 * that polls it can react.
 */
const DRAIN_MS = 250

/** Listens until the scope ends, and then lets running requests finish. */
export const listen = (
  store: OpenPetStore,
  options: ServeOptions,
  { lifecycle, isReady, log, gauges, gatherMetrics }: Host
): Effect.Effect<Serving, CommandFailed, Scope.Scope> => {
  const { host, port, quiet, noMetrics } = options
  const listening = (build: Gauge) =>
    Effect.tryPromise({
      try: () =>
        serveOverHttp(store, {
          ...options,
          drainMs: DRAIN_MS,
          metrics: !noMetrics,
          ...lifecycle,
          isReady,
          gauges: () => [build, ...gauges()],
          onError: makeFailureLog(log, store.engine.nowMs),
          ...(gatherMetrics === undefined ? {} : { gatherMetrics }),
          ...(quiet ? {} : { onRequest: (report) => log.write(requestLine(report)) })
        }),
      catch: (cause) => CommandFailed.because(whyNotListening(cause, host, port))
    })
  return Effect.acquireRelease(Effect.flatMap(buildInfo(options.memory), listening), (server) =>
    Effect.promise(() => server.close())
  )
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "something listens there already; --port 0 picks a free port",
  EACCES: "that port needs more rights; ports from 1024 do not",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no host of that name"
}

const whyNotListening = (cause: unknown, host: string, port: number): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause))
  return `can't listen on ${host}, port ${port}: ${reason}`
}
