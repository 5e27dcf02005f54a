/**
 * Logs failures. The same storage failure is logged once a minute, however many requests meet it.
 */
import { StorageError } from "@petstore/core"
import { failureLine } from "@petstore/http-adapter"
import type { Log } from "./log.js"

const REPEAT_MS = 60_000

type Request = Parameters<typeof failureLine>[2]

export const makeFailureLog = (
  log: Pick<Log, "write">,
  nowMs: () => number
): ((cause: unknown, request: Request) => void) => {
  let last = ""
  let lastMs = 0
  return (cause, request) => {
    if (cause instanceof StorageError) {
      if (cause.message === last && nowMs() - lastMs < REPEAT_MS) return
      last = cause.message
      lastMs = nowMs()
    }
    log.write(failureLine(nowMs(), cause, request))
  }
}
