import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { openSource } from "../../src/input/Source.js"
import type { RefusedLine } from "../../src/import/progress/Checkpoint.js"
import { refusedCsv } from "../../src/import/refusedCsv.js"
import { readList } from "../../src/import/list/ShelterList.js"

const folder = mkdtempSync(join(tmpdir(), "petstore-report-"))
afterAll(() => rmSync(folder, { recursive: true }))

const WHY = { code: "validation_failed", message: "name: expected 1 to 200 characters" }

const refused = (name: string, category = "Dog", status = "sold"): RefusedLine => ({
  row: 1,
  line: 2,
  name,
  category,
  status,
  ...WHY
})

const readBack = async (content: string) => {
  const file = join(folder, "report.csv")
  writeFileSync(file, content)
  const source = await openSource(file, new AbortController().signal)
  const format = { name: "name", category: "category", status: "status", delimiter: undefined }
  const all: Array<ReadonlyArray<string | undefined>> = []
  for await (const row of readList(source, { ...format, encoding: "utf-8" }))
    all.push([row.name, row.category, row.status])
  return all
}

const NAMES = [
  "=1+1",
  "+49 170",
  "-5",
  "@SUM(A1)",
  "＝1+1",
  "'=1+1",
  'Max; =HYPERLINK("http://x.example")',
  "two\r\n=lines",
  "Zoë 🐕",
  'Bob "the" cat',
  "'s-Gravenhage"
]

describe("the report of refused lines", () => {
  test("begins with a byte order mark and has a row for each line", () => {
    expect(refusedCsv([refused("Zoë")], ",")).toBe(
      "\ufeffline,name,code,message,category,status\r\n2,Zoë,validation_failed,name: expected 1 to 200 characters,Dog,sold\r\n"
    )
  })

  test("has a semicolon between its cells if the list has, and a comma otherwise", () => {
    const titles = (delimiter: string) => refusedCsv([], delimiter)
    expect(titles(";")).toBe("\ufeffline;name;code;message;category;status\r\n")
    expect([titles("\t"), titles("|")]).toEqual([titles(","), titles(",")])
  })

  test("has no cell that a spreadsheet runs", () => {
    const cell = (name: string) =>
      refusedCsv([refused(name)], ",")
        .split("\r\n")[1]
        ?.split(",")[1]
    expect(["=1+1", "+49 170", "-5", "@SUM(A1)", "＝1+1", "'=1+1", "Rex", "a-b"].map(cell)).toEqual(
      ["'=1+1", "'+49 170", "'-5", "'@SUM(A1)", "'＝1+1", "''=1+1", "Rex", "a-b"]
    )
  })

  test("guards what comes from elsewhere as well: categories, statuses and messages of the service", () => {
    const line = { ...refused("Rex", "=Dog", "-sold"), code: "@code", message: "=message" }
    expect(refusedCsv([line], ",").split("\r\n")[1]).toBe("2,Rex,'@code,'=message,'=Dog,'-sold")
  })

  test("guards what is a cell of its own to a spreadsheet with another delimiter", () => {
    const report = refusedCsv([refused("Max; =1+1"), refused("two\r\n=lines")], ",")
    expect(report).toContain('"Max; \'=1+1"')
    expect(report).toContain('"two\r\n\'=lines"')
  })

  test.each([",", ";", "\t"])(
    "of a list with the delimiter %j is read as the list that it is",
    async (delimiter) => {
      const report = refusedCsv(
        NAMES.map((name) => refused(name, `-${name}`, `= ${name}`)),
        delimiter
      )
      expect(await readBack(report)).toEqual(NAMES.map((name) => [name, `-${name}`, `= ${name}`]))
    }
  )

  test("has empty cells for what an older progress file does not say", () => {
    const line: RefusedLine = { row: 1, line: 2, name: "Rex", ...WHY }
    expect(refusedCsv([line], ",").split("\r\n")[1]).toMatch(/^2,Rex,.*,,$/)
  })
})

test("an apostrophe before a formula is taken off in reports alone", async () => {
  expect(await readBack("name,category,status\r\n'=1,Dog,\r\n")).toEqual([["'=1", "Dog", ""]])
  const more = "line,name,code,message,category,status,checked\r\n2,'=1,x,y,Dog,,yes\r\n"
  expect(await readBack(more)).toEqual([["=1", "Dog", ""]])
})
