/** Opens a store, serves it, prints the banner, and closes both on a signal. */
import process from "node:process"
import { PetStore } from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { attempt } from "../store/attempt.js"
import { DEFAULT_DB } from "../store/options.js"
import { retentionOf } from "../store/retention.js"
import { untilSignal } from "../terminal/signals.js"
import { makeDeliveryLoop } from "./DeliveryLoop.js"
import { databaseFile } from "./databaseFile.js"
import { type Lifecycle, lifecycleSettings } from "./lifecycle.js"
import { listen } from "./listen.js"
import { makeLog } from "./log.js"
import type { ServeOptions } from "./ServeOptions.js"
import { printBanner } from "./printBanner.js"
import { startup, type StartupOptions } from "./startup.js"

const inMemory = (options: ServeOptions) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { MemoryStorage } = await import("@petstore/storage-memory")
      return PetStore.open({ storage: MemoryStorage.layer, changeRetention: retentionOf(options) })
    }),
    (store) => Effect.promise(() => store.close())
  )

const serveAlone = (
  options: ServeOptions,
  lifecycle: Lifecycle,
  file: string | undefined,
  startupOptions: StartupOptions
): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stop = yield* Effect.fork(untilSignal)
      const store = yield* file === undefined ? inMemory(options) : databaseFile(file, options)
      const log = makeLog(process.stderr)
      const deliveries = makeDeliveryLoop(log, options.quiet)
      yield* Effect.addFinalizer(() => Effect.promise(() => deliveries.end().finally(log.flush)))
      let ready = false
      // The port comes first. A key created before it is found to be in use would never be printed.
      const { gauges } = deliveries
      const { url } = yield* listen(store, options, {
        lifecycle,
        isReady: () => ready,
        log,
        gauges
      })
      const started = yield* attempt(() => startup(store, startupOptions))
      ready = true
      // A store in memory has no webhooks: only this process could add one.
      if (file !== undefined) yield* Effect.promise(() => deliveries.begin(store))
      printBanner(url, started, file, startupOptions)
      yield* stop
      // Deliveries end while the server closes. The finalizers wait for both.
      void deliveries.end()
    })
  )

export const serve = (options: ServeOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const { memory, demo, workers } = options
    if (memory && options.db !== undefined)
      yield* CommandFailed.usage("--memory and --db exclude each other")
    if (memory && workers > 1) {
      yield* CommandFailed.usage(
        "--memory and --workers exclude each other: several processes can share a store only " +
          "in a file"
      )
    }
    const lifecycle = yield* lifecycleSettings(options)
    const startupOptions = {
      demo,
      plan: options.demoPlan ?? (memory || demo ? "enterprise" : "pro")
    } as const
    if (memory) return yield* serveAlone(options, lifecycle, undefined, startupOptions)
    const file = options.db ?? DEFAULT_DB
    if (options.upgrade) {
      const { upgradeFirst } = yield* Effect.promise(() => import("../file/upgrade.js"))
      yield* upgradeFirst(file)
    }
    if (workers === 1) return yield* serveAlone(options, lifecycle, file, startupOptions)
    const { serveWithWorkers } = yield* Effect.promise(
      () => import("./workers/serveWithWorkers.js")
    )
    return yield* serveWithWorkers(options, file, startupOptions)
  })
