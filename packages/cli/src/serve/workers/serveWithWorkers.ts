/** Serves a store with several processes. The first one creates the store and owns the port. */
import process from "node:process"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../../CommandFailed.js"
import { attempt } from "../../store/attempt.js"
import { untilSignal } from "../../terminal/signals.js"
import { databaseFile } from "../databaseFile.js"
import { makeLog } from "../log.js"
import type { ServeOptions } from "../ServeOptions.js"
import { printBanner } from "../printBanner.js"
import { startup, type StartupOptions } from "../startup.js"
import { WorkerPool } from "./WorkerPool.js"

export const serveWithWorkers = (
  options: ServeOptions,
  file: string,
  startupOptions: StartupOptions
): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stop = yield* Effect.fork(untilSignal)
      const log = makeLog(process.stderr)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new WorkerPool(options, file, log)),
        (running) => Effect.promise(() => running.stop().finally(log.flush))
      )
      // The first process prepares the store once, and does not keep it open.
      const [url, started] = yield* Effect.scoped(
        Effect.flatMap(databaseFile(file, options), (store) =>
          Effect.gen(function* () {
            const listenUrl = yield* attempt(() => pool.start())
            return [listenUrl, yield* attempt(() => startup(store, startupOptions))] as const
          })
        )
      )
      pool.ready()
      printBanner(url, started, file, startupOptions)
      yield* stop
    })
  )
