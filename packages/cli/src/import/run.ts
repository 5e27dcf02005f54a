/** `petstore import`: reads the list through once, then loads it, then says what it came to. */
import { randomUUID } from "node:crypto"
import { setMaxListeners } from "node:events"
import { rmSync } from "node:fs"
import { basename } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { CommandFailed } from "../CommandFailed.js"
import { attempt } from "../store/attempt.js"
import { answer, failWithAnswer } from "../terminal/answer.js"
import { type StopSignal, untilSignal } from "../terminal/signals.js"
import { notice } from "../terminal/StatusLine.js"
import { formatCount, formatSeconds } from "../terminal/text.js"
import { dryRun } from "./dryRun.js"
import { importList } from "./importList.js"
import { Held } from "./lock.js"
import { Meter } from "./Meter.js"
import { Patience } from "./Patience.js"
import { ForeignProgress, Progress } from "./Progress.js"
import { type Outcome, outcomeJson, outcomeText, writeReport } from "./report.js"
import { Service } from "./Service.js"
import { type ListFormat, readList, surveyList, UnreadableList } from "./ShelterList.js"
import { OWN_NAMES, parseStatusMap, type StatusMap } from "./StatusMap.js"
import { machineTime } from "./Time.js"
import { httpTransport } from "./Transport.js"

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
        try: () =>
          asked.dryRun ? dryRun(asked, statuses, machineTime.nowMs) : load(asked, statuses, cancel.signal),
        catch: (cause) => failureOf(asked, cause)
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

const load = async (asked: ImportOptions, statuses: StatusMap, signal: AbortSignal): Promise<Outcome> => {
  const { list, url, key, concurrency } = asked
  if (key === undefined)
    throw CommandFailed.usage("--key KEY, or PETSTORE_KEY in the environment, has to be given")
  if (!/^[\x21-\x7e]+$/.test(key)) throw CommandFailed.usage("the key has a character in it that no key has")
  const { rows, sha256 } = await surveyList(list, asked)
  const progress = openProgress(asked, statuses, rows, sha256)
  const { past } = progress
  const startedMs = machineTime.nowMs()
  const left = Array.from({ length: rows }, (_, at) => at + 1).filter((row) => !past.outcomes.has(row)).length
  const meter = new Meter(process.stderr, left, machineTime.nowMs)
  if (left < rows)
    meter.note(`${formatCount(rows - left)} of ${formatCount(rows)} lines were settled by earlier runs.`)
  const waiting = (ms: number, why: string) => {
    if (ms >= 1_000) meter.note(`Waiting ${formatSeconds(ms / 1_000)}: ${why}.`)
  }
  const transport = httpTransport(url, key, concurrency)
  const patience = new Patience(machineTime, signal, asked.maxWaitSeconds * 1_000, waiting)
  try {
    const undergone = await importList({
      rows: readList(list, asked),
      statuses,
      service: new Service(transport, patience),
      progress,
      concurrency,
      signal,
      watcher: meter
    })
    const { refused } = undergone
    const report = refused.length === 0 ? undefined : (asked.report ?? `${list}.refused.csv`)
    if (report !== undefined) writeReport(report, refused)
    const seconds = (machineTime.nowMs() - startedMs) / 1_000
    return {
      ...undergone,
      dryRun: false,
      list,
      url: url.href,
      rows,
      seconds,
      report,
      progressFile: progress.file
    }
  } finally {
    meter.end()
    transport.close()
    progress.close()
  }
}

const openProgress = (asked: ImportOptions, statuses: StatusMap, rows: number, sha256: string): Progress => {
  const { list, url, name, category, status } = asked
  const file = asked.progress ?? `${list}.progress.jsonl`
  try {
    if (asked.restart) rmSync(file, { force: true })
    const statusMap =
      status === undefined
        ? {}
        : Object.fromEntries([...statuses].sort(([left], [right]) => (left < right ? -1 : 1)))
    const undertaking = {
      list: basename(list),
      sha256,
      rows,
      url: url.href,
      name,
      category,
      status: status ?? null,
      statusMap
    }
    return Progress.open(file, undertaking, randomUUID)
  } catch (cause) {
    if (cause instanceof ForeignProgress || cause instanceof Held) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw CommandFailed.because(
      `the progress file can't be written (${why}); name another with --progress`,
      "progress_file"
    )
  }
}
