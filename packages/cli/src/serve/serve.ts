/** Opens a store, serves it, says how to call it, and closes both when asked to stop. */
import process from "node:process"
import { PetStore } from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { attempt } from "../store/attempt.js"
import { DEFAULT_DB } from "../store/options.js"
import { retentionOf } from "../store/retention.js"
import { untilSignal } from "../terminal/signals.js"
import { begin, type StartupOptions } from "./startup.js"
import { makeDeliveryLoop } from "./DeliveryLoop.js"
import { databaseFile } from "./databaseFile.js"
import { type Lifecycle, lifecycleSettings } from "./lifecycle.js"
import { listen } from "./listen.js"
import { makeLog } from "./log.js"
import type { ServeOptions } from "./ServeOptions.js"
import { printBanner } from "./printBanner.js"

const inMemory = (options: ServeOptions) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { MemoryStorage } = await import("@petstore/storage-memory")
      return PetStore.open({ storage: MemoryStorage.layer, changeRetention: retentionOf(options) })
    }),
    (store) => Effect.promise(() => store.close())
  )

/** One process, this one. */
const serveAlone = (
  options: ServeOptions,
  lifecycle: Lifecycle,
  file: string | undefined,
  wishes: StartupOptions
): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stop = yield* Effect.fork(untilSignal)
      const store = yield* file === undefined ? inMemory(options) : databaseFile(file, options)
      const log = makeLog(process.stderr)
      const delivering = makeDeliveryLoop(log, options.quiet)
      yield* Effect.addFinalizer(() => Effect.promise(() => delivering.end().finally(log.flush)))
      let ready = false
      // The port comes first: a key that was made before it turned out to be taken would never be shown.
      const { gauges } = delivering
      const { url } = yield* listen(store, options, { lifecycle, isReady: () => ready, log, gauges })
      const beginning = yield* attempt(() => begin(store, wishes))
      ready = true
      // Nobody else can add one to a store in memory.
      if (file !== undefined) yield* Effect.promise(() => delivering.begin(store))
      printBanner(url, beginning, file, wishes)
      yield* stop
      // It ends while the server does; the finalizers wait for both.
      void delivering.end()
    })
  )

export const serve = (options: ServeOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const { memory, demo, workers } = options
    if (memory && options.db !== undefined) yield* CommandFailed.usage("--memory and --db exclude each other")
    if (memory && workers > 1) {
      yield* CommandFailed.usage(
        "--memory and --workers exclude each other: several processes can share a store only in a file"
      )
    }
    const lifecycle = yield* lifecycleSettings(options)
    const wishes = { demo, plan: options.demoPlan ?? (memory || demo ? "enterprise" : "pro") } as const
    if (memory) return yield* serveAlone(options, lifecycle, undefined, wishes)
    const file = options.db ?? DEFAULT_DB
    if (options.upgrade) {
      const { upgradeFirst } = yield* Effect.promise(() => import("../file/upgrade.js"))
      yield* upgradeFirst(file)
    }
    if (workers === 1) return yield* serveAlone(options, lifecycle, file, wishes)
    const { serveWithWorkers } = yield* Effect.promise(() => import("./workers/serveWithWorkers.js"))
    return yield* serveWithWorkers(options, file, wishes)
  })
