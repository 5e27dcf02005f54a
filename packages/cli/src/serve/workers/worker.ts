/** A process that is one of several that serve a store: it has a store and a server of its own, and ends when it is told to, or when the first process is gone. */
import process from "node:process"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { finishOutput, outliveOutput } from "../../terminal/output.js"
import { untilSignal } from "../../terminal/signals.js"
import { makeDeliveryLoop } from "../DeliveryLoop.js"
import { databaseFile } from "../databaseFile.js"
import { lifecycleSettings } from "../lifecycle.js"
import { listen } from "../listen.js"
import { makeLog } from "../log.js"
import { TASK, type Task, type ToPrimary, type ToWorker } from "./Message.js"

const tell = (message: ToPrimary): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) resolve()
    else process.send(message, () => resolve())
  })

const untilTold = (awaited: "ready" | "stop"): Effect.Effect<void> =>
  Effect.async((resume) => {
    process.on("message", ({ type }: ToWorker) => {
      if (type === awaited) resume(Effect.void)
    })
  })

/** Gives what this process has counted to whoever gathers, and asks for what all have. */
const gatherMetrics = (own: () => string): (() => Promise<string>) => {
  const waiting = new Map<number, (text: string) => void>()
  let last = 0
  process.on("message", (message: ToWorker) => {
    if (message.type === "count") void tell({ type: "counted", request: message.request, text: own() })
    if (message.type !== "gathered") return
    waiting.get(message.request)?.(message.text)
    waiting.delete(message.request)
  })
  return () =>
    new Promise((resolve) => {
      const request = ++last
      waiting.set(request, resolve)
      void tell({ type: "gather", request })
    })
}

const work = Effect.fn(function* ({ options, file, number }: Task) {
  const lifecycle = yield* lifecycleSettings(options)
  const stop = yield* Effect.fork(Effect.race(untilTold("stop"), untilSignal))
  const begins = yield* Effect.fork(untilTold("ready"))
  // The first process has made it. Where it is gone since, nobody makes an empty one in its place.
  const { storeIsAt } = yield* Effect.promise(() => import("../../store/StoreFile.js"))
  yield* storeIsAt(file)
  const store = yield* databaseFile(file, options)
  const log = makeLog(process.stderr, number)
  const delivering = makeDeliveryLoop(log, options.quiet)
  yield* Effect.addFinalizer(() => Effect.promise(() => delivering.end().finally(log.flush)))
  let ready = false
  const { gauges } = delivering
  const { url } = yield* listen(store, options, {
    lifecycle,
    isReady: () => ready,
    log,
    gauges,
    gatherMetrics
  })
  yield* Effect.promise(() => tell({ type: "listening", url }))
  yield* Effect.fork(
    Effect.gen(function* () {
      yield* begins
      ready = true
      yield* Effect.promise(() => delivering.begin(store))
    })
  )
  yield* stop
  void delivering.end()
})

/** Works until it is told to stop, and ends the process. */
export const runWorker = async (): Promise<never> => {
  const task: Task = JSON.parse(process.env[TASK] ?? "null")
  delete process.env[TASK]
  outliveOutput()
  const exit = await Effect.runPromiseExit(Effect.scoped(work(task)))
  if (Exit.isFailure(exit)) {
    const failed = Option.getOrUndefined(Cause.failureOption(exit.cause))
    const message = failed?.message ?? `a mistake in petstore itself: ${Cause.pretty(exit.cause)}`
    await tell({ type: "failed", message, exitCode: failed?.exitCode ?? 1 })
  }
  return process.exit(await finishOutput(Exit.isSuccess(exit) ? 0 : 1))
}
