/** A store, served over HTTP as the command line asked for it. */
import type { OpenPetStore } from "@petstore/core"
import { requestLine, serve as serveOverHttp, type Serving } from "@petstore/http-adapter"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CommandFailed } from "../CommandFailed.js"
import { boundsOf } from "./boundsOf.js"
import type { Delivering } from "./delivering.js"
import { makeFailureLog } from "./failureLog.js"
import type { Lifecycle } from "./lifecycle.js"
import type { Log } from "./log.js"
import type { ServeOptions } from "./ServeOptions.js"

/** What a server is a part of. */
export type Part = {
  readonly lifecycle: Lifecycle
  readonly isReady: () => boolean
  readonly log: Log
  readonly gauges: Delivering["gauges"]
  readonly gatherMetrics?: (own: () => string) => () => Promise<string>
}

/** For so long after a signal readiness is denied before connections are, so that whoever asks for it sees it. */
const DRAIN_MS = 250

/** Listens until the scope ends, and then lets what is running finish. */
export const listening = (
  store: OpenPetStore,
  asked: ServeOptions,
  { lifecycle, isReady, log, gauges, gatherMetrics }: Part
): Effect.Effect<Serving, CommandFailed, Scope.Scope> => {
  const { host, port, basePath, trustProxy, experimental, cors, requireConditions, quiet, noMetrics } = asked
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        serveOverHttp(store, {
          host,
          port,
          basePath,
          trustProxy,
          experimental,
          drainMs: DRAIN_MS,
          metrics: !noMetrics,
          cors,
          requireConditions,
          ...boundsOf(asked),
          ...lifecycle,
          isReady,
          gauges,
          onError: makeFailureLog(log, store.engine.nowMs),
          ...(gatherMetrics === undefined ? {} : { gatherMetrics }),
          ...(quiet ? {} : { onRequest: (report) => log.write(requestLine(report)) })
        }),
      catch: (cause) => CommandFailed.because(whyNotListening(cause, host, port))
    }),
    (server) => Effect.promise(() => server.close())
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
  return `can't listen on ${host}, port ${port}: ${REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause))}`
}
