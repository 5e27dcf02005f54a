/** The columns of a report of refused lines, which can be corrected and imported like any list. */

export const REPORT_TITLES = ["line", "name", "code", "message", "category", "status"] as const

/** Whether a list with these titles is such a report. The user may have added columns. */
export const isReport = (titles: ReadonlyArray<string>): boolean =>
  REPORT_TITLES.every((title, column) => titles[column] === title)
