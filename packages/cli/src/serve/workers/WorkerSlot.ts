/** One place in the pool: a worker process, and after its death the one that replaces it. */
import cluster, { type Worker } from "node:cluster"
import { TASK, type Task, type ToPrimary, type ToWorker } from "./Message.js"
import { Respawn } from "./Respawn.js"
import { trackHandover } from "./trackHandover.js"

type WorkerCallbacks = {
  /** `reply` reaches the process that has sent the message, and none that replaces it. */
  readonly onMessage: (message: ToPrimary, reply: (message: ToWorker) => void) => void
  /** Called once the process has ended. `why` completes a sentence about the worker. */
  readonly onExit: (why: string) => void
}

export class WorkerSlot {
  /** From 1. */
  readonly number: number
  readonly #respawn = new Respawn()
  #worker: Worker | undefined
  #startedMs = 0

  constructor(number: number) {
    this.number = number
  }

  get isAlive(): boolean {
    return this.#worker !== undefined
  }

  get pid(): number | undefined {
    return this.#worker?.process.pid
  }

  start(task: Omit<Task, "number">, { onMessage, onExit }: WorkerCallbacks): void {
    // A worker runs the same command as this process. Its task tells it that it is a worker.
    const worker = cluster.fork({ [TASK]: JSON.stringify({ number: this.number, ...task }) })
    this.#worker = worker
    this.#startedMs = performance.now()
    let failure: string | undefined
    worker.on("message", (message: ToPrimary) => {
      if (message.type === "failed") failure = message.message
      onMessage(message, (reply) => sendTo(worker, reply))
    })
    // A message to a worker that has just died fails. Its exit is handled below.
    worker.on("error", () => undefined)
    const closeConnection = trackHandover(worker)
    worker.on("exit", (code, signal) => {
      closeConnection()
      this.#worker = undefined
      onExit(failure ?? (signal ? `was ended by ${signal}` : `ended with ${code}`))
    })
  }

  send(message: ToWorker): void {
    sendTo(this.#worker, message)
  }

  kill(): void {
    this.#worker?.process.kill("SIGKILL")
  }

  /** The delay before the worker that has just ended is replaced. */
  respawnPauseMs(): number {
    return this.#respawn.pauseMs(performance.now() - this.#startedMs)
  }
}

const sendTo = (worker: Worker | undefined, message: ToWorker): void => {
  if (worker?.isConnected() === true) worker.send(message, () => undefined)
}
