/** The columns of a list that an import reads. */
import type { CsvRecord } from "../csv/CsvRecord.js"
import { isReport } from "./reportTitles.js"
import { UnreadableList } from "./UnreadableList.js"

/** The titles that the user named. */
export type Titles = {
  readonly name: string
  readonly category: string
  readonly status: string | undefined
}

export type Columns = {
  /** From 0. */
  readonly name: number
  readonly category: number
  readonly status: number | undefined
  /** The number of columns. */
  readonly count: number
  /** Whether the list is a report of refused lines, whose cells are guarded against formulas. */
  readonly report: boolean
}

/** Throws {@link UnreadableList} for a column that is missing or there twice. */
export const columnsOf = ({ cells, cut }: CsvRecord, titles: Titles): Columns => {
  if (cut.size > 0)
    throw new UnreadableList(
      "its first line is too long for names of columns: is a quote not closed?"
    )
  const find = (title: string) => {
    const at = cells.indexOf(title.trim())
    if (at < 0) {
      const titlesFound = cells.map((each) => `'${each.slice(0, 40)}'`).slice(0, 40)
      throw new UnreadableList(
        `the list has no column '${title}'; it has ${titlesFound.join(", ")}`,
        true
      )
    }
    if (cells.lastIndexOf(title.trim()) !== at)
      throw new UnreadableList(`the list has the column '${title}' twice`, true)
    return at
  }
  return {
    name: find(titles.name),
    category: find(titles.category),
    status: titles.status === undefined ? undefined : find(titles.status),
    count: cells.length,
    report: isReport(cells)
  }
}

export const hasColumns = ({ cells }: CsvRecord, { name, category, status }: Titles): boolean =>
  [name, category, status].every((title) => title === undefined || cells.includes(title.trim()))
