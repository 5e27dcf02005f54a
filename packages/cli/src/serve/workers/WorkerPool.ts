/**
 * The workers of one server: started together, replaced where one dies, stopped together. They listen on one port, which the
 * first process has and hands them connections from in turn (node:cluster).
 */
import cluster, { type Worker } from "node:cluster"
import { CommandFailed } from "../../CommandFailed.js"
import type { Log } from "../log.js"
import type { ServeOptions } from "../ServeOptions.js"
import { GatherReplies } from "./GatherReplies.js"
import { trackHandover } from "./trackHandover.js"
import { TASK, type Task, type ToPrimary, type ToWorker } from "./Message.js"
import { mergeMetrics } from "./mergeMetrics.js"
import { Respawn } from "./Respawn.js"

/** A worker that has not ended so long after its requests had to be over is ended. */
const CLOSING_MS = 10_000

/** Node's timers take no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** One place among the workers, whoever has it. */
type Place = {
  readonly number: number
  readonly respawn: Respawn
  worker: Worker | undefined
  startedMs: number
}

type Hopes = { readonly listens: (url: string) => void; readonly fails: (failure: CommandFailed) => void }

export class WorkerPool {
  readonly #options: ServeOptions
  readonly #file: string
  readonly #log: Log
  readonly #places: ReadonlyArray<Place>
  readonly #gathering = new GatherReplies()
  readonly #timers = new Set<NodeJS.Timeout>()
  /** What the beginning waits for; nothing, once all have listened. */
  #hopes: Hopes | undefined
  readonly #listening = new Set<number>()
  /** As it was asked for: workers that ask for any free port share one. */
  #port: number
  /** Where the server has said that it listens. */
  #url = ""
  #hasStarted = false
  #isReady = false
  #isStopping = false
  #whenGone: (() => void) | undefined
  replaced = 0

  constructor(options: ServeOptions, file: string, log: Log) {
    this.#options = options
    this.#file = file
    this.#log = log
    this.#port = options.port
    this.#places = Array.from({ length: options.workers }, (_, at) => ({
      number: at + 1,
      respawn: new Respawn(),
      worker: undefined,
      startedMs: 0
    }))
  }

  /** Starts all; where they listen, or why one of them could not. */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#hopes = { listens: resolve, fails: reject }
      for (const place of this.#places) this.#fork(place)
    })
  }

  /** The store is as it shall be. */
  ready(): void {
    this.#isReady = true
    for (const { worker } of this.#places) tell(worker, { type: "ready" })
  }

  /** Asks all to finish what is running, and waits until they are gone. */
  stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const { worker } of this.#places) tell(worker, { type: "stop" })
    const late = setTimeout(
      () => {
        for (const { worker } of this.#places) worker?.process.kill("SIGKILL")
      },
      Math.min(this.#options.closeTimeoutMs + CLOSING_MS, LONGEST_TIMER_MS)
    )
    return new Promise<void>((resolve) => {
      this.#whenGone = resolve
      this.#tellWhenGone()
    }).finally(() => clearTimeout(late))
  }

  #fork(place: Place): void {
    const task: Task = {
      number: place.number,
      file: this.#file,
      options: { ...this.#options, port: this.#port }
    }
    // The same command as this process was started by, told by its task that it is a worker.
    const worker = cluster.fork({ [TASK]: JSON.stringify(task) })
    place.worker = worker
    place.startedMs = performance.now()
    let failure: string | undefined
    worker.on("message", (message: ToPrimary) => {
      if (message.type === "failed") {
        failure = message.message
        this.#hopes?.fails(
          new CommandFailed({ code: "failed", message: message.message, exitCode: message.exitCode })
        )
      } else this.#heard(place, worker, message)
    })
    // A message to a worker that has just died fails; its end is what counts.
    worker.on("error", () => undefined)
    const closeHandedOver = trackHandover(worker)
    worker.on("exit", (code, signal) => {
      closeHandedOver()
      this.#ended(place, failure ?? endOf(code, signal))
    })
  }

  #heard(place: Place, worker: Worker, message: Exclude<ToPrimary, { readonly type: "failed" }>): void {
    if (message.type === "listening") {
      if (this.#hasStarted && message.url !== this.#url) return this.#endElsewhere(worker)
      this.#listening.add(place.number)
      if (!this.#options.quiet)
        this.#note("info", "worker_listens", { worker: place.number, pid: worker.process.pid })
      if (this.#isReady) tell(worker, { type: "ready" })
      if (this.#hasStarted || this.#listening.size < this.#places.length) return
      this.#hasStarted = true
      this.#url = message.url
      this.#hopes?.listens(message.url)
    } else if (message.type === "counted") {
      this.#gathering.answered(place.number, message.request, message.text)
    } else void this.#gather(worker, message.request)
  }

  /** A port that the system chose is free again once no worker is left, and the next one that asks for any gets another. */
  #endElsewhere(worker: Worker): void {
    this.#port = Number(new URL(this.#url).port)
    worker.process.kill("SIGKILL")
  }

  async #gather(worker: Worker, request: number): Promise<void> {
    const alive = this.#alive()
    const texts = await this.#gathering.ask(
      alive.map(({ number }) => number),
      (number, options) => tell(this.#places[number - 1]?.worker, { type: "count", request: options })
    )
    tell(worker, { type: "gathered", request, text: mergeMetrics(texts) + this.#own(alive.length) })
  }

  #own(alive: number): string {
    return [
      "# HELP petstore_workers Processes that serve.",
      "# TYPE petstore_workers gauge",
      `petstore_workers ${alive}`,
      "# HELP petstore_workers_replaced_total Workers that died and were replaced.",
      "# TYPE petstore_workers_replaced_total counter",
      `petstore_workers_replaced_total ${this.replaced}`,
      ""
    ].join("\n")
  }

  #ended(place: Place, why: string): void {
    place.worker = undefined
    this.#gathering.gone(place.number)
    this.#tellWhenGone()
    if (this.#isStopping) return
    if (!this.#hasStarted) {
      this.#hopes?.fails(CommandFailed.because(`worker ${place.number} ${why} before it listened`))
      return
    }
    const pauseMs = place.respawn.pauseMs(performance.now() - place.startedMs)
    this.#note("error", "worker_ended", { worker: place.number, error: why, replacedInMs: pauseMs })
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.replaced++
      this.#fork(place)
    }, pauseMs)
    this.#timers.add(timer)
  }

  /** A line of the log, as those of requests are. */
  #note(level: "info" | "error", event: string, members: Readonly<Record<string, unknown>>): void {
    this.#log.write(JSON.stringify({ time: new Date().toISOString(), level, event, ...members }))
  }

  #alive(): ReadonlyArray<Place> {
    return this.#places.filter(({ worker }) => worker !== undefined)
  }

  #tellWhenGone(): void {
    if (this.#isStopping && this.#alive().length === 0) this.#whenGone?.()
  }
}

const endOf = (code: number, signal: string): string =>
  signal ? `was ended by ${signal}` : `ended with ${code}`

const tell = (worker: Worker | undefined, message: ToWorker): void => {
  if (worker?.isConnected() === true) worker.send(message, () => undefined)
}
