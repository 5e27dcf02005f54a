/** The process: its arguments, its exit code, and nothing else. */
import process from "node:process"
import { runCommandLine } from "./commandLine.js"
import { TASK } from "./serve/workers/Message.js"
import { finishOutput, surviveOutput } from "./terminal/output.js"

/**
 * How long what is left open may keep the process alive once the command has ended and all it said
 * is written.
 */
const LINGER_MS = 1_000

/** Runs the command line of this process, or what it is to do as a worker of another, once. */
export const runProcess = async (version: string): Promise<void> => {
  surviveOutput()
  if (process.env[TASK] !== undefined) {
    const { runWorker } = await import("./serve/workers/worker.js")
    return runWorker()
  }
  process.exitCode = await finishOutput(await runCommandLine(process.argv, version))
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
