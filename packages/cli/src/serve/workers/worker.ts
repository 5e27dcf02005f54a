/**
 * One of several processes that serve a store. It has its own store and server, and ends when the
 * first process says so or has ended.
 */
import process from "node:process"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { finishOutput, outputIsOptional } from "../../terminal/output.js"
import { untilSignal } from "../../terminal/signals.js"
import { Version } from "../../Version.js"
import { makeDeliveryLoop } from "../DeliveryLoop.js"
import { databaseFile } from "../databaseFile.js"
import { lifecycleSettings } from "../lifecycle.js"
import { listen } from "../listen.js"
import { makeLog } from "../log.js"
import { TASK, type Task, type ToPrimary, type ToWorker } from "./Message.js"

const send = (message: ToPrimary): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) resolve()
    else process.send(message, () => resolve())
  })

const untilMessage = (expected: "ready" | "stop"): Effect.Effect<void> =>
  Effect.async((resume) => {
    process.on("message", ({ type }: ToWorker) => {
      if (type === expected) resume(Effect.void)
    })
  })

/** Answers requests for the metrics of this process, and asks the first one for those of all. */
const gatherMetrics = (own: () => string): (() => Promise<string>) => {
  const waiting = new Map<number, (text: string) => void>()
  let last = 0
  process.on("message", (message: ToWorker) => {
    if (message.type === "count")
      void send({ type: "counted", request: message.request, text: own() })
    if (message.type !== "gathered") return
    waiting.get(message.request)?.(message.text)
    waiting.delete(message.request)
  })
  return () =>
    new Promise((resolve) => {
      const request = ++last
      waiting.set(request, resolve)
      void send({ type: "gather", request })
    })
}

const work = Effect.fn(function* ({ options, file, number }: Task) {
  const lifecycle = yield* lifecycleSettings(options)
  const stop = yield* Effect.fork(Effect.race(untilMessage("stop"), untilSignal))
  const start = yield* Effect.fork(untilMessage("ready"))
  // The first process has created the file. If it is gone, no empty one replaces it.
  const { requireStore } = yield* Effect.promise(() => import("../../store/StoreFile.js"))
  yield* requireStore(file)
  const store = yield* databaseFile(file, options)
  const log = makeLog(process.stderr, number)
  const deliveries = makeDeliveryLoop(log, options.quiet)
  yield* Effect.addFinalizer(() => Effect.promise(() => deliveries.end().finally(log.flush)))
  let ready = false
  const { gauges } = deliveries
  const { url } = yield* listen(store, options, {
    lifecycle,
    isReady: () => ready,
    log,
    gauges,
    gatherMetrics
  })
  yield* Effect.promise(() => send({ type: "listening", url }))
  yield* Effect.fork(
    Effect.gen(function* () {
      yield* start
      ready = true
      yield* Effect.promise(() => deliveries.begin(store))
    })
  )
  yield* stop
  void deliveries.end()
})

/** Serves until it is stopped, and ends the process. */
export const runWorker = async (version: string): Promise<never> => {
  const task: Task = JSON.parse(process.env[TASK] ?? "null")
  delete process.env[TASK]
  outputIsOptional()
  const exit = await Effect.runPromiseExit(
    Effect.scoped(work(task)).pipe(Effect.provideService(Version, version))
  )
  if (Exit.isFailure(exit)) {
    const failed = Option.getOrUndefined(Cause.failureOption(exit.cause))
    const message = failed?.message ?? `a mistake in petstore itself: ${Cause.pretty(exit.cause)}`
    await send({ type: "failed", message, exitCode: failed?.exitCode ?? 1 })
  }
  return process.exit(await finishOutput(Exit.isSuccess(exit) ? 0 : 1))
}
