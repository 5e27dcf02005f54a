/** Runs the process: its arguments and its exit code. */
import process from "node:process"
import { runCommandLine } from "./commandLine.js"
import { TASK } from "./serve/workers/Message.js"
import { finishOutput, ignoreWriteErrors } from "./terminal/output.js"

/** How long open handles may keep the process alive after the command has ended. */
const LINGER_MS = 1_000

/** Runs the command line, or the task of a worker, once. */
export const runProcess = async (version: string): Promise<void> => {
  ignoreWriteErrors()
  if (process.env[TASK] !== undefined) {
    const { runWorker } = await import("./serve/workers/worker.js")
    return runWorker(version)
  }
  process.exitCode = await finishOutput(await runCommandLine(process.argv, version))
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
