import { constants } from "node:buffer"
import { expect, test } from "vitest"
import { CsvParser } from "../../../src/import/csv/CsvParser.js"

const KEEP_FIRST = { columnsToKeep: new Set([0]), columns: 2 }

test("a cell that is not asked for may be longer than any text can be", () => {
  const parser = new CsvParser(",", 1, () => KEEP_FIRST)
  const piece = "x".repeat(16_777_216)
  const records = [...parser.push('Name,Photo\nRex,"')]
  for (let units = 0; units <= constants.MAX_STRING_LENGTH; units += piece.length)
    records.push(...parser.push(piece))
  records.push(...parser.push('"\nBella,\n'), ...parser.end())
  expect(records.map(({ cells: [name] }) => name)).toEqual(["Rex", "Bella"])
  expect(records.map(({ longest }) => longest > constants.MAX_STRING_LENGTH)).toEqual([true, false])
})

test("of a record with more cells than a spreadsheet has columns, the surplus ones are counted and not kept", () => {
  const parser = new CsvParser(",", 1, () => KEEP_FIRST)
  const [record] = [...parser.push(`a,b\nRex,${",".repeat(100_000)}x\n`), ...parser.end()]
  expect(record?.surplus).toBe(1)
  expect(record?.cells.length).toBe(16_384)
})

test("lines are counted by their ends, be they CRLF, LF or CR, cut anywhere, within quotes or not", () => {
  const text = 'a\r\n"b\r\n\r\nb\r"\r\rc\n\r\nd'
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new CsvParser(",")
    const records = [
      ...parser.push(text.slice(0, cut)),
      ...parser.push(text.slice(cut)),
      ...parser.end()
    ]
    expect(records.map(({ line, lastLine }) => [line, lastLine])).toEqual([
      [1, 1],
      [2, 5],
      [7, 7],
      [9, 9]
    ])
  }
})

test("a delimiter may be any character", () => {
  const parser = new CsvParser("🐕")
  const records = [...parser.push('a🐕"b🐕" 🐕🐈\n'), ...parser.end()]
  expect(records.map(({ cells }) => cells)).toEqual([["a", "b🐕", "🐈"]])
})
