/** The result of an import: tables for people, an object for programs, a file of refused lines. */
import { writeFileSync } from "node:fs"
import { PET_STATUSES } from "@petstore/core"
import { CommandFailed } from "../CommandFailed.js"
import { drawTable, formatCount, printable } from "../terminal/text.js"
import type { RefusedLine } from "./progress/Checkpoint.js"
import type { ImportResult } from "./importList.js"
import { refusedCsv } from "./refusedCsv.js"

export type Outcome = ImportResult & {
  /** Nothing was sent; `loaded` counts the lines that could be. */
  readonly dryRun: boolean
  readonly list: string
  readonly url: string
  readonly rows: number
  readonly seconds: number
  /** The file of all refused lines, if there are any. */
  readonly report: string | undefined
  readonly progressFile: string | undefined
}

/** Refused lines printed on the terminal. */
const SHOWN_LINES = 10

export const writeReport = (
  file: string,
  refused: ReadonlyArray<RefusedLine>,
  delimiter: string
): void => {
  try {
    writeFileSync(file, refusedCsv(refused, delimiter), { mode: 0o600 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw CommandFailed.because(
      `the report of refused lines can't be written (${why}); run the same command with ` +
        "--report FILE, no line is loaded twice",
      "report_file"
    )
  }
}

/** The object that `--json` prints. */
export const outcomeJson = (outcome: Outcome): object => {
  const {
    list,
    url,
    rows,
    loaded,
    loadedBefore,
    refused,
    categories,
    stopped,
    seconds,
    report,
    progressFile
  } = outcome
  return {
    list,
    url,
    rows,
    loaded,
    loadedBefore,
    refused: refused.length,
    complete: stopped === undefined,
    ...(stopped === undefined ? {} : { stopped }),
    seconds,
    ...(outcome.dryRun ? { dryRun: true } : {}),
    ...(progressFile === undefined ? {} : { progress: progressFile }),
    ...(report === undefined ? {} : { report }),
    categories: [...categories].map(([name, { found, statuses }]) =>
      Object.assign({ name }, found, statuses)
    ),
    refusedLines: refused.map(({ line, name, code, message }) => ({ line, name, code, message }))
  }
}

/** The text for people. */
export const outcomeText = async (outcome: Outcome): Promise<string> => {
  const { rows, loaded, loadedBefore, refused, categories, stopped, report } = outcome
  const parts: Array<string> = []
  if (categories.size > 0) {
    parts.push(
      await drawTable(
        ["category", ...PET_STATUSES, "all"],
        [...categories].map(([name, { statuses }]) => {
          const counts = PET_STATUSES.map((status) => statuses[status])
          const all = counts.reduce((sum, count) => sum + count, 0)
          return [printable(name)].concat(counts.concat(all).map(formatCount))
        }),
        [1, 2, 3, 4]
      )
    )
  }
  if (refused.length > 0) {
    parts.push(
      await drawTable(
        ["line", "name", "refused because"],
        refused
          .slice(0, SHOWN_LINES)
          .map(({ line, name, message }) => [
            String(line),
            printable(name, 24),
            printable(message, 100)
          ]),
        [0]
      )
    )
    if (refused.length > SHOWN_LINES)
      parts.push(`… and ${formatCount(refused.length - SHOWN_LINES)} more refused lines`)
  }
  parts.push(totalLine(outcome))
  if (refused.length > 0) {
    const where = report === undefined ? "" : `, each with its reason in ${report}`
    parts.push(`REFUSED: ${formatCount(refused.length)} lines${where}`)
  }
  if (stopped !== undefined) {
    const left = rows - loaded - loadedBefore - refused.length
    parts.push(
      `NOT FINISHED: ${formatCount(left)} lines are left. The same command goes on from here.`
    )
  }
  return parts.join("\n")
}

const totalLine = ({ dryRun, rows, loaded, loadedBefore, stopped, seconds }: Outcome): string => {
  if (dryRun)
    return `${formatCount(loaded)} of ${formatCount(rows)} lines can be loaded. Nothing was sent.`
  const earlier = `${formatCount(loadedBefore)} by earlier runs`
  if (stopped === undefined && loaded === 0 && loadedBefore > 0) {
    return `Nothing was left to load, of ${formatCount(rows)} lines: ${earlier}.`
  }
  const also = loadedBefore > 0 ? `, ${earlier}` : ""
  return (
    `${formatCount(loaded)} of ${formatCount(rows)} lines loaded in ${seconds.toFixed(1)} ` +
    `s${also}.`
  )
}
