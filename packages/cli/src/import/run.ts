/** `petstore import`: reads the list through once, then loads it, then says what it came to. */
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
import { keyOf, load } from "./load.js"
import { Held } from "./lock.js"
import { ImportStopped } from "./Patience.js"
import { ForeignProgress } from "./Progress.js"
import { type Outcome, outcomeJson, outcomeText } from "./report.js"
import type { ListFormat } from "./ShelterList.js"
import { OWN_NAMES, parseStatusMap, type StatusMap } from "./StatusMap.js"
import { machineTime } from "./Time.js"
import { UnreadableList } from "./UnreadableList.js"

export type ImportOptions = ListFormat & {
  readonly list: string
  readonly statusMap: ReadonlyArray<string>
  readonly url: URL
  readonly key: string | undefined
  readonly progress: string | undefined
  readonly report: string | undefined
  readonly restart: boolean
  readonly dryRun: boolean
  readonly concurrency: number
  readonly maxWaitSeconds: number
  readonly json: boolean
}

export const runImport = (asked: ImportOptions): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const statuses = yield* statusMapOf(asked)
      const cancel = new AbortController()
      setMaxListeners(0, cancel.signal) // every request that waits listens to it
      let signal: StopSignal | undefined
      const stopped = Effect.tap(untilSignal, (received) =>
        Effect.sync(() => {
          signal = received
          notice("petstore: stopping; what is under way is finished and recorded")
          cancel.abort()
        })
      )
      // A dry run has nothing under way: it ends at once.
      if (!asked.dryRun) yield* Effect.forkScoped(stopped)
      const outcome = yield* Effect.tryPromise({
        try: () => undergo(asked, statuses, cancel.signal),
        catch: (cause) =>
          cause instanceof ImportStopped ? stoppedBy(signal, cause.message) : failureOf(asked, cause)
      })
      const forPrograms = () => outcomeJson(outcome)
      const forPeople = () => outcomeText(outcome)
      const failure = outcome.stopped === undefined ? undefined : stoppedBy(signal, outcome.stopped)
      yield* attempt(() =>
        failure === undefined
          ? answer(asked.json, forPrograms, forPeople)
          : failWithAnswer(asked.json, failure, forPrograms, forPeople)
      )
    })
  )

const stoppedBy = (signal: StopSignal | undefined, message: string): CommandFailed =>
  signal === undefined
    ? CommandFailed.because(message, "import_stopped")
    : new CommandFailed({ code: "interrupted", message, exitCode: signal === "SIGINT" ? 130 : 143 })

const undergo = async (asked: ImportOptions, statuses: StatusMap, signal: AbortSignal): Promise<Outcome> => {
  refuseOverwriting(asked)
  if (!asked.dryRun) keyOf(asked) // is asked for before a pipe is read
  const source = await openSource(asked.list, signal).catch((cause: unknown) => {
    throw signal.aborted ? new ImportStopped("interrupted") : UnreadableList.because(cause, asked.list)
  })
  try {
    return asked.dryRun
      ? await dryRun(asked, source, statuses, machineTime.nowMs)
      : await load(asked, source, statuses, signal)
  } finally {
    source.close()
  }
}

/** A report is written over what is there, and that is not to be the list. */
const refuseOverwriting = ({ list, report, progress }: ImportOptions): void => {
  if (report === undefined) return
  if (isSameFile(report, list) || (progress !== undefined && isSameFile(report, progress)))
    throw CommandFailed.usage(`--report ${report} is another file of this import; name one of its own`)
}

const isSameFile = (one: string, other: string): boolean => {
  try {
    return resolve(one) === resolve(other) || realpathSync(one) === realpathSync(other)
  } catch {
    return false // one of them is not there yet
  }
}

const statusMapOf = ({ status, statusMap }: ImportOptions): Effect.Effect<StatusMap, CommandFailed> => {
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
  if (cause instanceof Held || cause instanceof ForeignProgress)
    return CommandFailed.because(cause.message, cause instanceof Held ? "import_running" : "other_import")
  return CommandFailed.because(cause instanceof Error ? cause.message : String(cause))
}
