/**
 * What an import came to: a summary and tables for people, one object for programs, and a file of
 * every refused line.
 */
import { writeFileSync } from "node:fs"
import { PET_STATUSES } from "@petstore/core"
import { CommandFailed } from "../CommandFailed.js"
import { drawTable, formatCount, shown } from "../terminal/text.js"
import type { Undergone } from "./importList.js"
import type { RefusedLine } from "./Past.js"
import { refusedCsv } from "./refusedCsv.js"

export type Outcome = Undergone & {
  /** Nothing was sent; `loaded` is how many lines could be. */
  readonly dryRun: boolean
  readonly list: string
  readonly url: string
  readonly rows: number
  readonly seconds: number
  /** The file of all refused lines, where there are any. */
  readonly report: string | undefined
  readonly progressFile: string | undefined
}

/** How many refused lines are shown on the terminal. */
const SHOWN_LINES = 10

export const writeReport = (file: string, refused: ReadonlyArray<RefusedLine>, delimiter: string): void => {
  try {
    writeFileSync(file, refusedCsv(refused, delimiter), { mode: 0o600 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw CommandFailed.because(
      `the report of refused lines can't be written (${why}); run the same command with --report FILE, no line is loaded twice`,
      "report_file"
    )
  }
}

/** The members of the one object that `--json` prints. */
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

/** The lines for people. */
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
          return [shown(name)].concat(counts.concat(all).map(formatCount))
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
          .map(({ line, name, message }) => [String(line), shown(name, 24), shown(message, 100)]),
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
    parts.push(`NOT FINISHED: ${formatCount(left)} lines are left. The same command goes on from here.`)
  }
  return parts.join("\n")
}

const totalLine = ({ dryRun, rows, loaded, loadedBefore, stopped, seconds }: Outcome): string => {
  if (dryRun) return `${formatCount(loaded)} of ${formatCount(rows)} lines can be loaded. Nothing was sent.`
  const earlier = `${formatCount(loadedBefore)} by earlier runs`
  if (stopped === undefined && loaded === 0 && loadedBefore > 0) {
    return `Nothing was left to load, of ${formatCount(rows)} lines: ${earlier}.`
  }
  const also = loadedBefore > 0 ? `, ${earlier}` : ""
  return `${formatCount(loaded)} of ${formatCount(rows)} lines loaded in ${seconds.toFixed(1)} s${also}.`
}
