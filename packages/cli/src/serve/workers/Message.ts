/** What the first process and its workers tell each other. */
import type { ExitCode } from "../../CommandFailed.js"
import type { ServeOptions } from "../ServeOptions.js"

/** What a worker is started with. */
export type Task = {
  /** Its number, from 1; who takes the place of one that died has the same. */
  readonly number: number
  readonly file: string
  readonly options: ServeOptions
}

/** The variable of a worker's environment that has its task. */
export const TASK = "PETSTORE_WORKER"

export type ToWorker =
  /** The store is as it shall be: callers may come. */
  | { readonly type: "ready" }
  | { readonly type: "stop" }
  /** What it has counted is wanted. */
  | { readonly type: "count"; readonly request: number }
  /** What all have counted, as it asked. */
  | { readonly type: "gathered"; readonly request: number; readonly text: string }

export type ToPrimary =
  | { readonly type: "listening"; readonly url: string }
  /** It could not begin, and ends. */
  | { readonly type: "failed"; readonly message: string; readonly exitCode: ExitCode }
  /** Somebody asks this worker for the metrics of all. */
  | { readonly type: "gather"; readonly request: number }
  | { readonly type: "counted"; readonly request: number; readonly text: string }
