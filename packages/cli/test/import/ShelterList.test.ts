import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { type ListFormat, type ListRow, readList, surveyList } from "../../src/import/ShelterList.js"

const folder = mkdtempSync(join(tmpdir(), "petstore-list-"))
afterAll(() => rmSync(folder, { recursive: true }))

const FORMAT: ListFormat = {
  name: "Name",
  category: "Kind",
  status: "Outcome",
  delimiter: ",",
  encoding: "utf-8"
}

const file = (content: string | Uint8Array): string => {
  const path = join(folder, "list.csv")
  writeFileSync(path, content)
  return path
}

const rows = async (
  content: string | Uint8Array,
  format: Partial<ListFormat> = {}
): Promise<ReadonlyArray<ListRow>> => {
  const all: Array<ListRow> = []
  for await (const row of readList(file(content), { ...FORMAT, ...format })) all.push(row)
  return all
}

const names = async (content: string | Uint8Array, format: Partial<ListFormat> = {}) =>
  (await rows(content, format)).map((row) => row.name)

const lines = async (content: string) => (await rows(content)).map((row) => row.line)

const why = (content: string | Uint8Array, format: Partial<ListFormat> = {}) =>
  rows(content, format).then(
    () => "it was read",
    (error: Error) => `${error.name}: ${error.message}`
  )

describe("a list", () => {
  test("is read by the names of its columns, in any order, after a byte-order mark", async () => {
    expect(await rows("\ufeffOutcome,Id,Kind,Name\r\nAdoption,1,Dog,Rex\r\n")).toEqual([
      { number: 1, line: 2, name: "Rex", category: "Dog", status: "Adoption", surplus: 0 }
    ])
  })

  test("may have quotes, commas, doubled quotes and line breaks within cells", async () => {
    expect(await names('Name,Kind,Outcome\n"Bob, ""the"" cat",Cat,\n"two\r\nlines",Cat,\n')).toEqual([
      'Bob, "the" cat',
      "two\r\nlines"
    ])
  })

  test("keeps quotes that stand within a cell without any around it", async () => {
    expect(await names('Name,Kind,Outcome\nBob "the" cat,Cat,\n')).toEqual(['Bob "the" cat'])
  })

  test("says on which line of the file a row starts, whatever is between the rows", async () => {
    const list = 'Name,Kind,Outcome\r\n"a\r\nb\r\nc",Dog,\r\n\r\n\r\nd,Dog,\r\n"e\nf",Dog,\r\ng,Dog,'
    expect(await lines(list)).toEqual([2, 7, 8, 10])
  })

  test("may end its lines in any way, even mixed", async () => {
    expect(await names("Name,Kind,Outcome\na,Dog,\r\nb,Dog,\rc,Dog,")).toEqual(["a", "b", "c"])
  })

  test("loses the white space around its cells and titles", async () => {
    expect(await rows(" Name , Kind,Outcome\n  Rex\t, Dog , \n")).toEqual([
      { number: 1, line: 2, name: "Rex", category: "Dog", status: "", surplus: 0 }
    ])
  })

  test("has rows even where cells are missing, and counts those that are too many and not blank", async () => {
    const list = "Name,Kind,Outcome\nRex\n,,\nA,Dog,,,\nBob, the cat,Cat,Adoption\n"
    expect((await rows(list)).map(({ name, category, surplus }) => [name, category, surplus])).toEqual([
      ["Rex", "", 0],
      ["", "", 0],
      ["A", "Dog", 0],
      ["Bob", "the cat", 1]
    ])
  })

  test("may have another delimiter and encoding", async () => {
    const latin = Buffer.from("Name;Kind;Outcome\nZoë;Chat;\n", "latin1")
    expect(await names(latin, { delimiter: ";", encoding: "windows-1252" })).toEqual(["Zoë"])
    const wide = Buffer.from("\ufeffName,Kind,Outcome\nZoë,Chat,\n", "utf16le")
    expect(await names(wide, { encoding: "utf-16le" })).toEqual(["Zoë"])
  })

  test("may have no rows at all", async () => {
    expect(await rows("Name,Kind,Outcome\n")).toEqual([])
  })

  test("that can't be read is refused with the reason", async () => {
    expect(await why("")).toBe("UnreadableList: the list is empty: it has no header line")
    expect(await why("Name,Type\n")).toBe(
      "UnreadableList: the list has no column 'Kind'; it has 'Name', 'Type'"
    )
    expect(await why("Name,Kind,Kind,Outcome\n")).toBe("UnreadableList: the list has the column 'Kind' twice")
    expect(await why(`Name,Kind,Outcome\na,Dog,\n"b,Dog,\nc,Dog,\n`)).toBe(
      "UnreadableList: a quote that opens on line 3 is never closed"
    )
    expect(await why(Buffer.from("Name,Kind,Outcome\nZo\xeb,Chat,\n", "latin1"))).toContain("--encoding")
    expect(await why(`Name,Kind,Outcome\n"${"x".repeat(2_000_000)}`)).toContain("is a quote not closed?")
  })

  test("that is not there is refused, too", async () => {
    await expect(surveyList(join(folder, "missing.csv"), FORMAT)).rejects.toThrow("there is no such file")
  })

  test("is surveyed: how many rows, and a digest that changes with any byte", async () => {
    const one = await surveyList(file("Name,Kind,Outcome\na,Dog,\nb,Dog,\n"), FORMAT)
    const other = await surveyList(file("Name,Kind,Outcome\na,Dog,\nc,Dog,\n"), FORMAT)
    expect([one.rows, other.rows]).toEqual([2, 2])
    expect(one.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(one.sha256).not.toBe(other.sha256)
  })
})
