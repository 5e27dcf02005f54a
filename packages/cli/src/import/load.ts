/**
 * The sending half of `petstore import`: reads the list through once, then loads it, and writes the
 * report.
 */
import { randomUUID } from "node:crypto"
import { basename } from "node:path"
import process from "node:process"
import { CommandFailed } from "../CommandFailed.js"
import type { Source } from "../input/Source.js"
import { formatCount, formatSeconds } from "../terminal/text.js"
import { importList } from "./importList.js"
import { Held } from "./lock.js"
import { Meter } from "./Meter.js"
import { Patience } from "./Patience.js"
import { ForeignProgress, Progress } from "./Progress.js"
import { type Outcome, writeReport } from "./report.js"
import type { ImportOptions } from "./run.js"
import { Service } from "./Service.js"
import { longCellNotes, readList, type Survey, surveyList } from "./ShelterList.js"
import type { StatusMap } from "./StatusMap.js"
import { machineTime } from "./Time.js"
import { httpTransport } from "./Transport.js"

export const load = async (
  asked: ImportOptions,
  source: Source,
  statuses: StatusMap,
  signal: AbortSignal
): Promise<Outcome> => {
  const { list, url, concurrency } = asked
  const key = keyOf(asked)
  const survey = await surveyList(source, asked)
  const { rows } = survey
  const files = filesOf(asked, source, survey)
  const progress = openProgress(asked, files.progress, statuses, survey)
  const { past } = progress
  const startedMs = machineTime.nowMs()
  const left = Array.from({ length: rows }, (_, at) => at + 1).filter((row) => !past.outcomes.has(row)).length
  const meter = new Meter(process.stderr, left, machineTime.nowMs)
  for (const line of longCellNotes(survey.longCells)) meter.note(line)
  if (source.copied) meter.note(`What is loaded is recorded in ${progress.file}.`)
  if (left < rows)
    meter.note(`${formatCount(rows - left)} of ${formatCount(rows)} lines were settled by earlier runs.`)
  const waiting = (ms: number, why: string) => {
    if (ms >= 1_000) meter.note(`Waiting ${formatSeconds(ms / 1_000)}: ${why}.`)
  }
  const transport = httpTransport(url, key, concurrency)
  const patience = new Patience(machineTime, signal, asked.maxWaitSeconds * 1_000, waiting)
  try {
    const undergone = await importList({
      rows: readList(source, asked),
      statuses,
      service: new Service(transport, patience),
      progress,
      concurrency,
      signal,
      watcher: meter
    })
    const { refused } = undergone
    const report = refused.length === 0 ? undefined : files.report
    if (report !== undefined) writeReport(report, refused, survey.delimiter)
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

/**
 * Where progress and refused lines are written: beside the list unless asked for elsewhere. What was
 * copied from a pipe has no name to call them by, but content.
 */
export const filesOf = (
  { list, progress, report }: ImportOptions,
  { copied }: Source,
  { sha256 }: Survey
): { readonly progress: string; readonly report: string } => {
  const stem = copied ? `petstore-import-${sha256.slice(0, 12)}` : list
  return {
    progress: progress ?? `${stem}.progress.jsonl`,
    report: report ?? `${stem}.refused.csv`
  }
}

/** Throws {@link CommandFailed} where none is given. */
export const keyOf = ({ key }: ImportOptions): string => {
  if (key === undefined)
    throw CommandFailed.usage("--key KEY, or PETSTORE_KEY in the environment, has to be given")
  if (!/^[\x21-\x7e]+$/.test(key)) throw CommandFailed.usage("the key has a character in it that no key has")
  return key
}

const openProgress = (
  { list, url, name, category, status, restart }: ImportOptions,
  file: string,
  statuses: StatusMap,
  { rows, sha256 }: Survey
): Progress => {
  try {
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
    return Progress.open(file, undertaking, randomUUID, restart)
  } catch (cause) {
    if (cause instanceof ForeignProgress || cause instanceof Held) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw CommandFailed.because(
      `the progress file can't be written (${why}); name another with --progress`,
      "progress_file"
    )
  }
}
