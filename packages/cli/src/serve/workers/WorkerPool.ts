/**
 * The workers of one server: started together, replaced when they die, stopped together. The first
 * process owns the port and hands out the connections in turn (node:cluster).
 */
import { CommandFailed } from "../../CommandFailed.js"
import type { Log } from "../log.js"
import type { ServeOptions } from "../ServeOptions.js"
import { GatherReplies } from "./GatherReplies.js"
import type { ToPrimary, ToWorker } from "./Message.js"
import { mergeMetrics } from "./mergeMetrics.js"
import { WorkerSlot } from "./WorkerSlot.js"

/** A worker that has not ended so long after the close timeout is killed. */
const CLOSING_MS = 10_000

/** The longest delay of a timer in Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

type Reply = (message: ToWorker) => void

type StartCallbacks = {
  readonly listens: (url: string) => void
  readonly fails: (failure: CommandFailed) => void
}

export class WorkerPool {
  readonly #options: ServeOptions
  readonly #file: string
  readonly #log: Log
  readonly #slots: ReadonlyArray<WorkerSlot>
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
  #replaced = 0

  constructor(options: ServeOptions, file: string, log: Log) {
    this.#options = options
    this.#file = file
    this.#log = log
    this.#port = options.port
    this.#slots = Array.from({ length: options.workers }, (_, at) => new WorkerSlot(at + 1))
  }

  /** Starts all workers. Resolves with their URL once all listen, or rejects if one can't. */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#onStart = { listens: resolve, fails: reject }
      for (const slot of this.#slots) this.#launch(slot)
    })
  }

  /** Tells the workers that the store is prepared. */
  ready(): void {
    this.#isReady = true
    for (const slot of this.#slots) slot.send({ type: "ready" })
  }

  /** Lets all workers finish their requests. Resolves once they have ended. */
  stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const slot of this.#slots) slot.send({ type: "stop" })
    const late = setTimeout(
      () => {
        for (const slot of this.#slots) slot.kill()
      },
      Math.min(this.#options.closeTimeoutMs + CLOSING_MS, LONGEST_TIMER_MS)
    )
    return new Promise<void>((resolve) => {
      this.#whenGone = resolve
      this.#resolveIfGone()
    }).finally(() => clearTimeout(late))
  }

  #launch(slot: WorkerSlot): void {
    slot.start(
      { file: this.#file, options: { ...this.#options, port: this.#port } },
      {
        onMessage: (message, reply) => this.#onMessage(slot, message, reply),
        onExit: (why) => this.#onExit(slot, why)
      }
    )
  }

  #onMessage(slot: WorkerSlot, message: ToPrimary, reply: Reply): void {
    if (message.type === "failed") this.#onStart?.fails(failureOf(message))
    else if (message.type === "listening") this.#onListening(slot, message.url, reply)
    else if (message.type === "counted")
      this.#replies.reply(slot.number, message.request, message.text)
    else void this.#gather(message.request, reply)
  }

  #onListening(slot: WorkerSlot, url: string, reply: Reply): void {
    if (this.#hasStarted && url !== this.#url) return this.#restartOnPort(slot)
    this.#listening.add(slot.number)
    if (!this.#options.quiet)
      this.#logEvent("info", "worker_listens", { worker: slot.number, pid: slot.pid })
    if (this.#isReady) reply({ type: "ready" })
    if (this.#hasStarted || this.#listening.size < this.#slots.length) return
    this.#hasStarted = true
    this.#url = url
    this.#onStart?.listens(url)
  }

  /**
   * Once no worker is left, a port that the system chose is free again, and the next worker gets
   * another one. It is started again with the port of the server.
   */
  #restartOnPort(slot: WorkerSlot): void {
    this.#port = Number(new URL(this.#url).port)
    slot.kill()
  }

  async #gather(request: number, reply: Reply): Promise<void> {
    const alive = this.#alive()
    const texts = await this.#replies.ask(
      alive.map(({ number }) => number),
      (number, id) => this.#slots[number - 1]?.send({ type: "count", request: id })
    )
    reply({
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
      `petstore_workers_replaced_total ${this.#replaced}`,
      ""
    ].join("\n")
  }

  #onExit(slot: WorkerSlot, why: string): void {
    this.#replies.gone(slot.number)
    this.#resolveIfGone()
    if (this.#isStopping) return
    if (!this.#hasStarted) {
      this.#onStart?.fails(CommandFailed.because(`worker ${slot.number} ${why} before it listened`))
      return
    }
    const pauseMs = slot.respawnPauseMs()
    this.#logEvent("error", "worker_ended", {
      worker: slot.number,
      error: why,
      replacedInMs: pauseMs
    })
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#replaced++
      this.#launch(slot)
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

  #alive(): ReadonlyArray<WorkerSlot> {
    return this.#slots.filter(({ isAlive }) => isAlive)
  }

  #resolveIfGone(): void {
    if (this.#isStopping && this.#alive().length === 0) this.#whenGone?.()
  }
}

const failureOf = (failed: Extract<ToPrimary, { readonly type: "failed" }>): CommandFailed =>
  new CommandFailed({ code: "failed", message: failed.message, exitCode: failed.exitCode })
