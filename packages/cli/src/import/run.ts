/** `petstore import`: checks the list, loads it and reports the result. */
import { setMaxListeners } from "node:events"
import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { CommandFailed } from "../CommandFailed.js"
import { openSource } from "../input/Source.js"
import { attempt } from "../store/attempt.js"
import { answer, failWithAnswer } from "../terminal/answer.js"
import { type StopSignal, untilSignal } from "../terminal/signals.js"
import { notice } from "../terminal/StatusLine.js"
import { dryRun } from "./dryRun.js"
import type { ImportOptions } from "./ImportOptions.js"
import { ImportStopped } from "./service/ImportStopped.js"
import { keyOf, load } from "./load.js"
import { ImportLocked } from "./progress/lock.js"
import { ProgressMismatch } from "./progress/Progress.js"
import { type Outcome, outcomeJson, outcomeText } from "./report.js"
import { OWN_NAMES, parseStatusMap, type StatusMap } from "./list/StatusMap.js"
import { machineTime } from "./service/Time.js"
import { UnreadableList } from "./list/UnreadableList.js"

export const runImport = (options: ImportOptions): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const statuses = yield* statusMapOf(options)
      const cancel = new AbortController()
      setMaxListeners(0, cancel.signal) // each waiting request adds a listener
      let signal: StopSignal | undefined
      const stopped = Effect.tap(untilSignal, (received) =>
        Effect.sync(() => {
          signal = received
          notice("petstore: stopping; running requests are finished and recorded")
          cancel.abort()
        })
      )
      // A dry run has nothing to finish, so a signal ends it at once.
      if (!options.dryRun) yield* Effect.forkScoped(stopped)
      const outcome = yield* Effect.tryPromise({
        try: () => importFrom(options, statuses, cancel.signal),
        catch: (cause) =>
          cause instanceof ImportStopped
            ? stoppedBy(signal, cause.message)
            : failureOf(options, cause)
      })
      const forPrograms = () => outcomeJson(outcome)
      const forPeople = () => outcomeText(outcome)
      const failure = outcome.stopped === undefined ? undefined : stoppedBy(signal, outcome.stopped)
      yield* attempt(() =>
        failure === undefined
          ? answer(options.json, forPrograms, forPeople)
          : failWithAnswer(options.json, failure, forPrograms, forPeople)
      )
    })
  )

const stoppedBy = (signal: StopSignal | undefined, message: string): CommandFailed =>
  signal === undefined
    ? CommandFailed.because(message, "import_stopped")
    : new CommandFailed({ code: "interrupted", message, exitCode: signal === "SIGINT" ? 130 : 143 })

const importFrom = async (
  options: ImportOptions,
  statuses: StatusMap,
  signal: AbortSignal
): Promise<Outcome> => {
  refuseOverwriting(options)
  if (!options.dryRun) keyOf(options) // a missing key is reported before a pipe is read
  const source = await openSource(options.list, signal).catch((cause: unknown) => {
    throw signal.aborted
      ? new ImportStopped("interrupted")
      : UnreadableList.because(cause, options.list)
  })
  try {
    return options.dryRun
      ? await dryRun(options, source, statuses, machineTime.nowMs)
      : await load(options, source, statuses, signal)
  } finally {
    source.close()
  }
}

/** The report overwrites its file, so that must not be the list or the progress file. */
const refuseOverwriting = ({ list, report, progress }: ImportOptions): void => {
  if (report === undefined) return
  if (isSameFile(report, list) || (progress !== undefined && isSameFile(report, progress)))
    throw CommandFailed.usage(
      `--report ${report} is another file of this import; name one of its own`
    )
}

const isSameFile = (one: string, other: string): boolean => {
  try {
    return resolve(one) === resolve(other) || realpathSync(one) === realpathSync(other)
  } catch {
    return false // one of them does not exist yet
  }
}

const statusMapOf = ({
  status,
  statusMap
}: ImportOptions): Effect.Effect<StatusMap, CommandFailed> => {
  if (statusMap.length === 0) return Effect.succeed(OWN_NAMES)
  if (status === undefined)
    return Effect.fail(CommandFailed.usage("--status-map needs --status, the column that it maps"))
  return Either.match(parseStatusMap(statusMap), {
    onLeft: (why) => Effect.fail(CommandFailed.usage(`--status-map: ${why}`)),
    onRight: (map) => Effect.succeed(map)
  })
}

const failureOf = ({ list }: ImportOptions, cause: unknown): CommandFailed => {
  if (cause instanceof CommandFailed) return cause
  if (cause instanceof UnreadableList) {
    const message = `${list}: ${cause.message}`
    return cause.wrongColumn
      ? CommandFailed.usage(message, "wrong_column")
      : CommandFailed.because(message, "unreadable_list")
  }
  if (cause instanceof ImportLocked || cause instanceof ProgressMismatch)
    return CommandFailed.because(
      cause.message,
      cause instanceof ImportLocked ? "import_running" : "other_import"
    )
  return CommandFailed.because(cause instanceof Error ? cause.message : String(cause))
}
