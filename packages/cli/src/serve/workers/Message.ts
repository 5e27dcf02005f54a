/** The messages between the first process and its workers. */
import type { ExitCode } from "../../CommandFailed.js"
import type { ServeOptions } from "../ServeOptions.js"

/** The input of a worker. */
export type Task = {
  /** From 1. The replacement of a worker that died has the same number. */
  readonly number: number
  readonly file: string
  readonly options: ServeOptions
}

/** The environment variable with the task of a worker. */
export const TASK = "PETSTORE_WORKER"

export type ToWorker =
  /** The store is prepared and can be served. */
  | { readonly type: "ready" }
  | { readonly type: "stop" }
  /** Asks for the metrics of the worker. */
  | { readonly type: "count"; readonly request: number }
  /** The metrics of all workers, as the worker asked. */
  | { readonly type: "gathered"; readonly request: number; readonly text: string }

export type ToPrimary =
  | { readonly type: "listening"; readonly url: string }
  /** The worker could not start, and ends. */
  | { readonly type: "failed"; readonly message: string; readonly exitCode: ExitCode }
  /** A caller asks this worker for the metrics of all. */
  | { readonly type: "gather"; readonly request: number }
  | { readonly type: "counted"; readonly request: number; readonly text: string }
