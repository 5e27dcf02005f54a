/** Opens a store, serves it, says how to call it, and closes both when asked to stop. */
import process from "node:process"
import { PetStore } from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { attempt } from "../store/attempt.js"
import { DEFAULT_DB } from "../store/options.js"
import { retentionOf } from "../store/retention.js"
import { untilSignal } from "../terminal/signals.js"
import { begin, type Wishes } from "./beginning.js"
import { makeDelivering } from "./delivering.js"
import { inFile } from "./inFile.js"
import { type Lifecycle, lifecycleSettings } from "./lifecycle.js"
import { listening } from "./listening.js"
import { makeLog } from "./log.js"
import type { ServeOptions } from "./ServeOptions.js"
import { sayBeginning } from "./sayBeginning.js"

const inMemory = (asked: ServeOptions) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { MemoryStorage } = await import("@petstore/storage-memory")
      return PetStore.open({ storage: MemoryStorage.layer, changeRetention: retentionOf(asked) })
    }),
    (store) => Effect.promise(() => store.close())
  )

/** One process, this one. */
const serveAlone = (
  asked: ServeOptions,
  lifecycle: Lifecycle,
  file: string | undefined,
  wishes: Wishes
): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stop = yield* Effect.fork(untilSignal)
      const store = yield* file === undefined ? inMemory(asked) : inFile(file, asked)
      const log = makeLog(process.stderr)
      const delivering = makeDelivering(log, asked.quiet)
      yield* Effect.addFinalizer(() => Effect.promise(() => delivering.end().finally(log.flush)))
      let ready = false
      // The port comes first: a key that was made before it turned out to be taken would never be shown.
      const { gauges } = delivering
      const { url } = yield* listening(store, asked, { lifecycle, isReady: () => ready, log, gauges })
      const beginning = yield* attempt(() => begin(store, wishes))
      ready = true
      // Nobody else can add one to a store in memory.
      if (file !== undefined) yield* Effect.promise(() => delivering.begin(store))
      sayBeginning(url, beginning, file, wishes)
      yield* stop
      // It ends while the server does; the finalizers wait for both.
      void delivering.end()
    })
  )

export const serve = (asked: ServeOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const { memory, demo, workers } = asked
    if (memory && asked.db !== undefined) yield* CommandFailed.usage("--memory and --db exclude each other")
    if (memory && workers > 1) {
      yield* CommandFailed.usage(
        "--memory and --workers exclude each other: several processes can share a store only in a file"
      )
    }
    const lifecycle = yield* lifecycleSettings(asked)
    const wishes = { demo, plan: asked.demoPlan ?? (memory || demo ? "enterprise" : "pro") } as const
    if (memory) return yield* serveAlone(asked, lifecycle, undefined, wishes)
    const file = asked.db ?? DEFAULT_DB
    if (asked.upgrade) {
      const { upgradeFirst } = yield* Effect.promise(() => import("../file/upgrade.js"))
      yield* upgradeFirst(file)
    }
    if (workers === 1) return yield* serveAlone(asked, lifecycle, file, wishes)
    const { serveByWorkers } = yield* Effect.promise(() => import("./workers/serveByWorkers.js"))
    return yield* serveByWorkers(asked, file, wishes)
  })
