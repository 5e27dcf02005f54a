/** The half of `petstore import` that sends: checks the list, loads it and writes the report. */
import { randomUUID } from "node:crypto"
import { basename } from "node:path"
import process from "node:process"
import { CommandFailed } from "../CommandFailed.js"
import type { Source } from "../input/Source.js"
import { formatCount, formatSeconds } from "../terminal/text.js"
import { importList } from "./importList.js"
import type { ImportOptions } from "./ImportOptions.js"
import { ImportLocked } from "./progress/lock.js"
import { nodeTransport } from "./service/nodeTransport.js"
import { Progress, ProgressMismatch } from "./progress/Progress.js"
import { type Outcome, writeReport } from "./report.js"
import { RetryBudget } from "./service/RetryBudget.js"
import { Service } from "./service/Service.js"
import { longCellNotes, readList, type Survey, surveyList } from "./list/ShelterList.js"
import type { StatusMap } from "./list/StatusMap.js"
import { Throughput } from "./Throughput.js"
import { machineTime } from "./service/Time.js"

export const load = async (
  options: ImportOptions,
  source: Source,
  statuses: StatusMap,
  signal: AbortSignal
): Promise<Outcome> => {
  const { list, url, concurrency } = options
  const key = keyOf(options)
  const survey = await surveyList(source, options)
  const { rows } = survey
  const files = filesOf(options, source, survey)
  const progress = openProgress(options, files.progress, statuses, survey)
  const { outcomes } = progress.checkpoint
  const startedMs = machineTime.nowMs()
  const left = Array.from({ length: rows }, (_, at) => at + 1).filter(
    (row) => !outcomes.has(row)
  ).length
  const throughput = new Throughput(process.stderr, left, machineTime.nowMs)
  for (const line of longCellNotes(survey.longCells)) throughput.note(line)
  if (source.copied) throughput.note(`What is loaded is recorded in ${progress.file}.`)
  if (left < rows)
    throughput.note(
      `${formatCount(rows - left)} of ${formatCount(rows)} lines were settled by earlier runs.`
    )
  const waiting = (ms: number, why: string) => {
    if (ms >= 1_000) throughput.note(`Waiting ${formatSeconds(ms / 1_000)}: ${why}.`)
  }
  const retryBudget = new RetryBudget(machineTime, signal, options.maxWaitSeconds * 1_000, waiting)
  const { transport, close } = nodeTransport(url, concurrency)
  try {
    const result = await importList({
      rows: readList(source, options),
      statuses,
      service: new Service({ url, key, transport, nowMs: machineTime.nowMs }, retryBudget),
      progress,
      concurrency,
      signal,
      watcher: throughput
    })
    const { refused } = result
    const report = refused.length === 0 ? undefined : files.report
    if (report !== undefined) writeReport(report, refused, survey.delimiter)
    const seconds = (machineTime.nowMs() - startedMs) / 1_000
    return {
      ...result,
      dryRun: false,
      list,
      url: url.href,
      rows,
      seconds,
      report,
      progressFile: progress.file
    }
  } finally {
    throughput.end()
    close()
    progress.close()
  }
}

/**
 * The files for progress and refused lines: beside the list by default. The files of a pipe, which
 * has no name, are named after its content.
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

/** The API key. Throws {@link CommandFailed} if it is missing or can't be one. */
export const keyOf = ({ key }: ImportOptions): string => {
  if (key === undefined)
    throw CommandFailed.usage("--key KEY, or PETSTORE_KEY in the environment, has to be given")
  if (!/^[\x21-\x7e]+$/.test(key))
    throw CommandFailed.usage("the key has a character in it that no key has")
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
    const job = {
      list: basename(list),
      sha256,
      rows,
      url: url.href,
      name,
      category,
      status: status ?? null,
      statusMap
    }
    return Progress.open(file, job, randomUUID, restart)
  } catch (cause) {
    if (cause instanceof ProgressMismatch || cause instanceof ImportLocked) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw CommandFailed.because(
      `the progress file can't be written (${why}); name another with --progress`,
      "progress_file"
    )
  }
}
