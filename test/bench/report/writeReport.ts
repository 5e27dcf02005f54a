/**
 * Puts a run into the documentation: the picture, and the text between the marks of README.md,
 * docs/performance.md and docs/notes/http-figures.md.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { chart } from "./chart.js"
import { figuresText, pageText, shortText } from "./markdown.js"
import type { Report } from "./Report.js"

const BEGIN = "<!-- figures of npm run bench -->"
const END = "<!-- end of figures -->"

/** The text with what is between the marks replaced; fails where there are none. */
export const replaceMarked = (text: string, by: string): string => {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END, begin)
  if (begin < 0 || end < 0) throw new Error(`no place for figures: expected ${BEGIN} and ${END}`)
  return `${text.slice(0, begin + BEGIN.length)}\n${by}\n${text.slice(end)}`
}

/** From where this is built to. */
const root = new URL("../../../../", import.meta.url)

export const writeReport = (report: Report): void => {
  const rewrite = (name: string, by: string): void => {
    const file = fileURLToPath(new URL(name, root))
    writeFileSync(file, replaceMarked(readFileSync(file, "utf8"), by))
  }
  rewrite("README.md", shortText(report))
  rewrite("docs/performance.md", pageText(report))
  rewrite("docs/notes/http-figures.md", figuresText(report))
  writeFileSync(fileURLToPath(new URL("docs/benchmark.svg", root)), chart(report))
}
