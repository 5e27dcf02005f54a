/**
 * The workers of one server: started together, replaced when they die, stopped together. The first
 * process owns the port and hands out the connections in turn (node:cluster).
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

/** A worker that has not ended so long after the close timeout is killed. */
const CLOSING_MS = 10_000

/** The longest delay of a timer in Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A worker and its replacements. */
type Slot = {
  readonly number: number
  readonly respawn: Respawn
  worker: Worker | undefined
  startedMs: number
}

type StartCallbacks = {
  readonly listens: (url: string) => void
  readonly fails: (failure: CommandFailed) => void
}

export class WorkerPool {
  readonly #options: ServeOptions
  readonly #file: string
  readonly #log: Log
  readonly #slots: ReadonlyArray<Slot>
  readonly #replies = new GatherReplies()
  readonly #timers = new Set<NodeJS.Timeout>()
  /** The callbacks of {@link start}. */
  #onStart: StartCallbacks | undefined
  readonly #listening = new Set<number>()
  /** The port option. Workers that ask for any free port share one. */
  #port: number
  /** The URL that {@link start} resolved with. */
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
    this.#slots = Array.from({ length: options.workers }, (_, at) => ({
      number: at + 1,
      respawn: new Respawn(),
      worker: undefined,
      startedMs: 0
    }))
  }

  /** Starts all workers. Resolves with their URL once all listen, or rejects if one can't. */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#onStart = { listens: resolve, fails: reject }
      for (const slot of this.#slots) this.#fork(slot)
    })
  }

  /** Tells the workers that the store is prepared. */
  ready(): void {
    this.#isReady = true
    for (const { worker } of this.#slots) send(worker, { type: "ready" })
  }

  /** Lets all workers finish their requests. Resolves once they have ended. */
  stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const { worker } of this.#slots) send(worker, { type: "stop" })
    const late = setTimeout(
      () => {
        for (const { worker } of this.#slots) worker?.process.kill("SIGKILL")
      },
      Math.min(this.#options.closeTimeoutMs + CLOSING_MS, LONGEST_TIMER_MS)
    )
    return new Promise<void>((resolve) => {
      this.#whenGone = resolve
      this.#resolveIfGone()
    }).finally(() => clearTimeout(late))
  }

  #fork(slot: Slot): void {
    const task: Task = {
      number: slot.number,
      file: this.#file,
      options: { ...this.#options, port: this.#port }
    }
    // A worker runs the same command as this process. Its task tells it that it is a worker.
    const worker = cluster.fork({ [TASK]: JSON.stringify(task) })
    slot.worker = worker
    slot.startedMs = performance.now()
    let failure: string | undefined
    worker.on("message", (message: ToPrimary) => {
      if (message.type === "failed") {
        failure = message.message
        this.#onStart?.fails(
          new CommandFailed({
            code: "failed",
            message: message.message,
            exitCode: message.exitCode
          })
        )
      } else this.#onMessage(slot, worker, message)
    })
    // A message to a worker that has just died fails. Its exit is handled below.
    worker.on("error", () => undefined)
    const closeConnection = trackHandover(worker)
    worker.on("exit", (code, signal) => {
      closeConnection()
      this.#onExit(slot, failure ?? exitReason(code, signal))
    })
  }

  #onMessage(
    slot: Slot,
    worker: Worker,
    message: Exclude<ToPrimary, { readonly type: "failed" }>
  ): void {
    if (message.type === "listening") {
      if (this.#hasStarted && message.url !== this.#url) return this.#restartOnPort(worker)
      this.#listening.add(slot.number)
      if (!this.#options.quiet)
        this.#logEvent("info", "worker_listens", { worker: slot.number, pid: worker.process.pid })
      if (this.#isReady) send(worker, { type: "ready" })
      if (this.#hasStarted || this.#listening.size < this.#slots.length) return
      this.#hasStarted = true
      this.#url = message.url
      this.#onStart?.listens(message.url)
    } else if (message.type === "counted") {
      this.#replies.reply(slot.number, message.request, message.text)
    } else void this.#gather(worker, message.request)
  }

  /**
   * Once no worker is left, a port that the system chose is free again, and the next worker gets
   * another one. It is started again with the port of the server.
   */
  #restartOnPort(worker: Worker): void {
    this.#port = Number(new URL(this.#url).port)
    worker.process.kill("SIGKILL")
  }

  async #gather(worker: Worker, request: number): Promise<void> {
    const alive = this.#alive()
    const texts = await this.#replies.ask(
      alive.map(({ number }) => number),
      (number, id) => send(this.#slots[number - 1]?.worker, { type: "count", request: id })
    )
    send(worker, {
      type: "gathered",
      request,
      text: mergeMetrics(texts) + this.#ownMetrics(alive.length)
    })
  }

  #ownMetrics(alive: number): string {
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

  #onExit(slot: Slot, why: string): void {
    slot.worker = undefined
    this.#replies.gone(slot.number)
    this.#resolveIfGone()
    if (this.#isStopping) return
    if (!this.#hasStarted) {
      this.#onStart?.fails(CommandFailed.because(`worker ${slot.number} ${why} before it listened`))
      return
    }
    const pauseMs = slot.respawn.pauseMs(performance.now() - slot.startedMs)
    this.#logEvent("error", "worker_ended", {
      worker: slot.number,
      error: why,
      replacedInMs: pauseMs
    })
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.replaced++
      this.#fork(slot)
    }, pauseMs)
    this.#timers.add(timer)
  }

  /** Logs in the format of requests. */
  #logEvent(
    level: "info" | "error",
    event: string,
    members: Readonly<Record<string, unknown>>
  ): void {
    this.#log.write(JSON.stringify({ time: new Date().toISOString(), level, event, ...members }))
  }

  #alive(): ReadonlyArray<Slot> {
    return this.#slots.filter(({ worker }) => worker !== undefined)
  }

  #resolveIfGone(): void {
    if (this.#isStopping && this.#alive().length === 0) this.#whenGone?.()
  }
}

const exitReason = (code: number, signal: string): string =>
  signal ? `was ended by ${signal}` : `ended with ${code}`

const send = (worker: Worker | undefined, message: ToWorker): void => {
  if (worker?.isConnected() === true) worker.send(message, () => undefined)
}
