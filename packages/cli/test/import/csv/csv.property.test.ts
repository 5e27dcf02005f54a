/** What is written as CSV is read as what it was, however it is cut into pieces. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, test } from "vitest"
import { CsvParser } from "../../../src/import/csv/CsvParser.js"
import { guarded, unguarded } from "../../../src/import/csv/formulaGuard.js"

const DELIMITERS = [",", ";", "\t", "|"]

/** Mostly what means something in CSV or to spreadsheets. */
const text = FastCheck.array(
  FastCheck.constantFrom(...Array.from("ab=+-@'\",;|\t\r\n \u001aé🐕＝"), "\r\n"),
  { maxLength: 12 }
).map((characters) => characters.join(""))

// oxlint-disable-next-line no-control-regex -- the end mark of DOS is one
const bare = (cell: string) => cell.replace(/^[\s\u001a]+|[\s\u001a]+$/g, "")

const delimiters = FastCheck.constantFrom(...DELIMITERS)
const blanks = FastCheck.constantFrom("", " ", "\u00a0  ")

describe("CSV", () => {
  test("in quotes, with blanks around them or not, is read as the cells it was written from", () => {
    const table = FastCheck.array(FastCheck.array(text, { minLength: 1, maxLength: 4 }), {
      maxLength: 5
    })
    const breaks = FastCheck.constantFrom("\r\n", "\n", "\r")
    FastCheck.assert(
      FastCheck.property(
        table,
        delimiters,
        blanks,
        breaks,
        FastCheck.array(FastCheck.nat(200), { maxLength: 5 }),
        (rows, delimiter, around, lineBreak, cuts) => {
          const quoted = (cell: string) => `${around}"${cell.replaceAll('"', '""')}"${around}`
          const whole = Array.from(
            rows.map((cells) => cells.map(quoted).join(delimiter) + lineBreak).join("")
          )
          const parser = new CsvParser(delimiter)
          const ends = [...cuts.sort((left, right) => left - right), whole.length]
          const pieces = ends.map((end, at) =>
            whole.slice(at === 0 ? 0 : ends[at - 1], end).join("")
          )
          const records = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
          const expected = rows
            .map((cells) => cells.map(bare))
            .filter((cells) => cells.some(Boolean))
          expect(records.map(({ cells }) => cells)).toEqual(expected)
        }
      )
    )
  })

  test("of any kind is read without more cells or lines than it has delimiters and line ends", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(text).map((texts) => texts.join("")),
        delimiters,
        (content, delimiter) => {
          const parser = new CsvParser(delimiter)
          const records = [...parser.push(content)]
          try {
            records.push(...parser.end())
          } catch (cause) {
            expect(String(cause)).toMatch(
              /^UnclosedQuote: a quote that opens on line \d+ is never closed$/
            )
          }
          const cells = records.reduce((sum, record) => sum + record.cells.length, 0)
          const places = content.split(delimiter).length + content.split(/\r\n?|\n/).length - 1
          expect(cells).toBeLessThanOrEqual(places)
          let line = 0
          for (const record of records) {
            expect(record.line).toBeGreaterThan(line)
            expect(record.lastLine).toBeGreaterThanOrEqual(record.line)
            line = record.lastLine
          }
          expect(line).toBeLessThanOrEqual(content.split(/\r\n?|\n/).length)
        }
      )
    )
  })
})

describe("a guarded text", () => {
  test("is, without the guards, the text that it was", () => {
    FastCheck.assert(
      FastCheck.property(text, (any) => {
        expect(unguarded(guarded(any))).toBe(any)
      })
    )
  })

  test("begins no cell with a formula, whatever a spreadsheet takes for a delimiter", () => {
    FastCheck.assert(
      FastCheck.property(text, FastCheck.constantFrom(...DELIMITERS), (any, delimiter) => {
        for (const cell of guarded(any).split(new RegExp(`[\r\n${delimiter}]`)))
          expect(cell.replace(/^[\s"]+/, "")).not.toMatch(/^[=+\-@＝＋－＠]/)
        expect(guarded(any)).not.toMatch(/^[\t\r\n]/)
      })
    )
  })
})
