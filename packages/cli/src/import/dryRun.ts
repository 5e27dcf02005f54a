/** An import that sends nothing: which lines would be refused by the rules that need no service. */
import { accessSync, constants } from "node:fs"
import { dirname } from "node:path"
import type { PetStatus } from "@petstore/core"
import * as Either from "effect/Either"
import type { Source } from "../input/Source.js"
import { notice } from "../terminal/StatusLine.js"
import { checkRow } from "./list/checkRow.js"
import { type RefusedLine, refusedLine } from "./progress/Checkpoint.js"
import type { ImportOptions } from "./ImportOptions.js"
import { type CategoryCount, emptyCount } from "./Ledger.js"
import { filesOf } from "./load.js"
import { type Outcome, writeReport } from "./report.js"
import { longCellNotes, surveyList } from "./list/ShelterList.js"
import type { StatusMap } from "./list/StatusMap.js"

/** The status that the service gives a pet without one. */
const DEFAULT_STATUS: PetStatus = "available"

export const dryRun = async (
  options: ImportOptions,
  source: Source,
  statuses: StatusMap,
  nowMs: () => number
): Promise<Outcome> => {
  const startedMs = nowMs()
  const refused: Array<RefusedLine> = []
  const categories = new Map<string, CategoryCount>()
  const survey = await surveyList(source, options, (row) => {
    const checked = checkRow(row, statuses)
    if (Either.isLeft(checked)) {
      refused.push(refusedLine(row, checked.left))
      return
    }
    const { category, status = DEFAULT_STATUS } = checked.right
    const count = categories.get(category) ?? emptyCount()
    count.statuses[status]++
    categories.set(category, count)
  })
  const { rows, delimiter, longCells } = survey
  const { progress } = filesOf(options, source, survey)
  if (!isFolderWritable(dirname(progress)))
    notice(`The import could not write ${progress}: name another file with --progress.`)
  for (const line of longCellNotes(longCells)) notice(line)
  if (options.report !== undefined && refused.length > 0)
    writeReport(options.report, refused, delimiter)
  return {
    dryRun: true,
    list: options.list,
    url: options.url.href,
    rows,
    loaded: rows - refused.length,
    loadedBefore: 0,
    refused,
    categories,
    stopped: undefined,
    seconds: (nowMs() - startedMs) / 1_000,
    report: refused.length > 0 ? options.report : undefined,
    progressFile: undefined
  }
}

const isFolderWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
