/** Serves a store by several processes: this one makes the store, has the port, says where it is, and keeps the others going. */
import process from "node:process"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../../CommandFailed.js"
import { attempt } from "../../store/attempt.js"
import { untilSignal } from "../../terminal/signals.js"
import { begin, type Wishes } from "../beginning.js"
import { inFile } from "../inFile.js"
import { makeLog } from "../log.js"
import type { ServeOptions } from "../ServeOptions.js"
import { sayBeginning } from "../sayBeginning.js"
import { Crew } from "./Crew.js"

export const serveByWorkers = (
  asked: ServeOptions,
  file: string,
  wishes: Wishes
): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stop = yield* Effect.fork(untilSignal)
      const log = makeLog(process.stderr)
      const crew = yield* Effect.acquireRelease(
        Effect.sync(() => new Crew(asked, file, log)),
        (hired) => Effect.promise(() => hired.stop().finally(log.flush))
      )
      // It is made and brought up to date once, by this process, which then has it open no longer than it must.
      const [url, beginning] = yield* Effect.scoped(
        Effect.flatMap(inFile(file, asked), (store) =>
          Effect.gen(function* () {
            const listensAt = yield* attempt(() => crew.start())
            return [listensAt, yield* attempt(() => begin(store, wishes))] as const
          })
        )
      )
      crew.ready()
      sayBeginning(url, beginning, file, wishes)
      yield* stop
    })
  )
