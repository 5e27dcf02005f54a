/** Serves a store by several processes: this one makes the store, has the port, says where it is, and keeps the others going. */
import process from "node:process"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../../CommandFailed.js"
import { attempt } from "../../store/attempt.js"
import { untilSignal } from "../../terminal/signals.js"
import { begin, type StartupOptions } from "../startup.js"
import { databaseFile } from "../databaseFile.js"
import { makeLog } from "../log.js"
import type { ServeOptions } from "../ServeOptions.js"
import { printBanner } from "../printBanner.js"
import { WorkerPool } from "./WorkerPool.js"

export const serveWithWorkers = (
  options: ServeOptions,
  file: string,
  wishes: StartupOptions
): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stop = yield* Effect.fork(untilSignal)
      const log = makeLog(process.stderr)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new WorkerPool(options, file, log)),
        (hired) => Effect.promise(() => hired.stop().finally(log.flush))
      )
      // It is made and brought up to date once, by this process, which then has it open no longer than it must.
      const [url, beginning] = yield* Effect.scoped(
        Effect.flatMap(databaseFile(file, options), (store) =>
          Effect.gen(function* () {
            const listensAt = yield* attempt(() => pool.start())
            return [listensAt, yield* attempt(() => begin(store, wishes))] as const
          })
        )
      )
      pool.ready()
      printBanner(url, beginning, file, wishes)
      yield* stop
    })
  )
