import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, test } from "vitest"
import { openSource, type Source } from "../../../src/input/Source.js"
import {
  type ListFormat,
  type ListRow,
  longCellNotes,
  readList,
  surveyList
} from "../../../src/import/list/ShelterList.js"

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

const sourceOf = (content: string | Uint8Array): Promise<Source> =>
  openSource(file(content), new AbortController().signal)

/** The same bytes in pieces of one, so that everything is cut in every place. */
const byByte = ({ bytes, ...source }: Source): Source => ({
  ...source,
  bytes: async function* () {
    for await (const piece of bytes()) for (const byte of piece) yield Uint8Array.of(byte)
  }
})

const read = async (source: Source, format: ListFormat): Promise<ReadonlyArray<ListRow>> => {
  const all: Array<ListRow> = []
  for await (const row of readList(source, format)) all.push(row)
  return all
}

const rows = async (
  content: string | Uint8Array,
  format: Partial<ListFormat> = {}
): Promise<ReadonlyArray<ListRow>> => {
  const source = await sourceOf(content)
  const all = await read(source, { ...FORMAT, ...format })
  if (content.length < 10_000)
    expect(await read(byByte(source), { ...FORMAT, ...format })).toEqual(all)
  return all
}

const names = async (content: string | Uint8Array, format: Partial<ListFormat> = {}) =>
  (await rows(content, format)).map((row) => row.name)

const lines = async (content: string, format: Partial<ListFormat> = {}) =>
  (await rows(content, format)).map((row) => row.line)

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
    expect(
      await names('Name,Kind,Outcome\n"Bob, ""the"" cat",Cat,\n"two\r\nlines",Cat,\n')
    ).toEqual(['Bob, "the" cat', "two\r\nlines"])
  })

  test("keeps quotes within an unquoted cell", async () => {
    expect(await names('Name,Kind,Outcome\nBob "the" cat,Cat,\n')).toEqual(['Bob "the" cat'])
  })

  test("may have blanks around the quotes of a cell, which are not part of it", async () => {
    const list =
      'Name,Kind,Outcome\n"Bello" ,Dog,\n "Bella"\t,Dog,\n\t"Max, the second"\u00a0,Dog,\n"Rex" \r\nLassie,"Dog" '
    expect(await names(list)).toEqual(["Bello", "Bella", "Max, the second", "Rex", "Lassie"])
    const tabs = 'Name\tKind\tOutcome\n"Bello" \tDog\t\n"a\tb"\tDog\t\n'
    expect(await names(tabs, { delimiter: "\t" })).toEqual(["Bello", "a\tb"])
  })

  test("keeps quotes after which a cell continues", async () => {
    const list = 'Name,Kind,Outcome\n"Bob" the cat,Cat,\n"Bob" "the" cat,Cat,\n"a ""b"" "c",Cat,\n'
    expect(await names(list)).toEqual(['"Bob" the cat', '"Bob" "the" cat', '"a "b" "c"'])
  })

  test("says of a quote that closes on a later line in the middle of a cell that the line can't be read", async () => {
    const list = 'Name,Kind,Outcome\na,Dog,\n"b,Dog,\nc,Dog,\nd,"Dog",\ne,Dog,\n'
    expect((await rows(list)).map(({ line, unreadable }) => [line, unreadable])).toEqual([
      [2, undefined],
      [
        3,
        "lines 3 to 5 have a cell with text behind its closing quote: a quote is missing, or one too many"
      ],
      [6, undefined]
    ])
  })

  test.each([
    [",", ","],
    [";", ";"],
    ["\t", "\t"]
  ])("has no row where a line is nothing but delimiters and blanks (%j)", async (_, delimiter) => {
    const blank = `${delimiter} ${delimiter}`
    const list = [
      blank,
      "Name,Kind,Outcome",
      "a,Dog,",
      blank,
      `""${blank}`,
      "b,Dog,",
      blank,
      blank,
      ""
    ]
    const content = list.join("\r\n").replaceAll(",", delimiter)
    expect((await rows(content, { delimiter })).map(({ number, line }) => [number, line])).toEqual([
      [1, 3],
      [2, 6]
    ])
  })

  test.each([
    ["on a line of its own", "Name,Kind,Outcome\r\na,Dog,sold\r\n\u001a"],
    ["behind the last cell", "Name,Kind,Outcome\r\na,Dog,sold\u001a"],
    ["behind the quotes of the last cell", 'Name,Kind,Outcome\r\na,Dog,"sold"\u001a'],
    ["as often as fills a sector", `Name,Kind,Outcome\r\na,Dog,sold\r\n${"\u001a".repeat(128)}`],
    ["before a line break", "Name,Kind,Outcome\r\na,Dog,sold\r\n\u001a\r\n"]
  ])("may end with the end mark of DOS, %s", async (_, list) => {
    expect((await rows(list)).map(({ name, status }) => [name, status])).toEqual([["a", "sold"]])
  })

  const UNICODE = "Name\tKind\tOutcome\r\nZoë\tChat\t\r\n🐕 Fido\tHund\tvermittelt\r\n"
  const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16()

  test.each([
    ["little-endian", Buffer.from(`\ufeff${UNICODE}`, "utf16le")],
    ["big-endian", bigEndian(`\ufeff${UNICODE}`)],
    ["little-endian without a byte order mark", Buffer.from(UNICODE, "utf16le")],
    ["big-endian without a byte order mark", bigEndian(UNICODE)]
  ])("may be UTF-16, as the Unicode text of spreadsheets: %s", async (_, content) => {
    for (const encoding of ["utf-8", "windows-1252"])
      expect(await names(content, { delimiter: undefined, encoding })).toEqual(["Zoë", "🐕 Fido"])
  })

  test("has the encoding of its byte order mark, whatever the option says", async () => {
    const list = Buffer.from("\ufeffName,Kind,Outcome\nZoë,Chat,\n")
    expect(await names(list, { encoding: "windows-1252" })).toEqual(["Zoë"])
  })

  test("that ends within a character of UTF-16 is reported as that, and not as another encoding", async () => {
    const cut = Buffer.from(`\ufeff${UNICODE}`, "utf16le").subarray(0, -1)
    expect(await why(cut, { delimiter: undefined })).toBe(
      "UnreadableList: it is not in the encoding it should be in, utf-16le"
    )
  })

  test("that is a compressed file or a spreadsheet is refused with what to do", async () => {
    expect(await why(gzipSync("Name,Kind,Outcome\n"))).toContain("it is compressed; unpack it")
    expect(await why("PK\u0003\u0004 and so on")).toContain("save it as CSV first")
    expect(await why(Buffer.from("d0cf11e0a1b11ae1", "hex"))).toContain("save it as CSV first")
  })

  test.each([
    ["sep=;", ";"],
    ["SEP=;", ";"],
    ['"sep=;"', ";"],
    ["sep=\t", "\t"],
    ["\ufeffsep=|", "|"]
  ])(
    "whose first line is %j has that delimiter, whatever was asked for",
    async (mark, delimiter) => {
      const list = `${mark}\r\nName,Kind,Outcome\r\n"a;b|c\td",Dog,\r\n`
      const content = list.replaceAll(",", delimiter)
      for (const asked of [undefined, ","]) {
        expect(await names(content, { delimiter: asked })).toEqual(["a;b|c\td"])
        expect(await lines(content, { delimiter: asked })).toEqual([3])
      }
    }
  )

  test.each([",", ";", "\t", "|"])(
    "shows its delimiter %j by its header, unless one was asked for",
    async (delimiter) => {
      const content = "Name,Kind,Outcome\na,Dog,\n".replaceAll(",", delimiter)
      expect(await names(content, { delimiter: undefined })).toEqual(["a"])
      const other = delimiter === "," ? ";" : ","
      expect(await why(content, { delimiter: other })).toContain("the list has no column 'Name'")
    }
  )

  test("has a comma for a delimiter where the header shows none, and says what the columns are then", async () => {
    expect(await why("Name;Type\n", { delimiter: undefined })).toBe(
      "UnreadableList: the list has no column 'Name'; it has 'Name;Type'"
    )
  })

  test("may have a cell of any length in a column that is not asked for", async () => {
    const photo = `"${"x\r\n,".repeat(1_000_000)}"`
    const list = `Photo,Name,Kind,Outcome\na,A,Dog,\n${photo},B,Dog,\nc,C,Dog,\n${"y".repeat(3_000_000)},D,Dog,\n`
    expect((await rows(list)).map(({ name, unreadable }) => [name, unreadable])).toEqual([
      ["A", undefined],
      ["B", undefined],
      ["C", undefined],
      ["D", undefined]
    ])
    expect(await lines(list)).toEqual([2, 3, 1_000_004, 1_000_005])
    const { longCells } = await surveyList(await sourceOf(list), FORMAT)
    expect(longCellNotes(longCells)).toEqual([
      "Line 3 and 1 more have a cell of more than a million characters: is a quote not closed?"
    ])
  })

  test("loses the line alone whose name, category or status is too long to be kept", async () => {
    const long = "x".repeat(2_000_000)
    const list = `Name,Kind,Outcome\na,Dog,\n${long},Dog,\nc,"${long}",\nd,Dog,${long}\ne,Dog,\n`
    const all = await rows(list)
    const why = "a cell has more than 65,536 characters: is a quote not closed?"
    expect(all.map(({ unreadable }) => unreadable)).toEqual([undefined, why, why, why, undefined])
    expect(all.map(({ name }) => name.length)).toEqual([1, 65_536, 1, 1, 1])
  })

  test("says on which line of the file a row starts, whatever is between the rows", async () => {
    const list =
      'Name,Kind,Outcome\r\n"a\r\nb\r\nc",Dog,\r\n\r\n\r\nd,Dog,\r\n"e\nf",Dog,\r\ng,Dog,'
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
    const list = "Name,Kind,Outcome\nRex\n,,Adoption\nA,Dog,,,\nBob, the cat,Cat,Adoption\n"
    expect(
      (await rows(list)).map(({ name, category, surplus }) => [name, category, surplus])
    ).toEqual([
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
    expect(await why("Name,Kind,Kind,Outcome\n")).toBe(
      "UnreadableList: the list has the column 'Kind' twice"
    )
    expect(await why(`Name,Kind,Outcome\na,Dog,\n"b,Dog,\nc,Dog,\n`)).toBe(
      "UnreadableList: a quote that opens on line 3 is never closed"
    )
    expect(await why(Buffer.from("Name,Kind,Outcome\nZo\xeb,Chat,\n", "latin1"))).toContain(
      "--encoding"
    )
    expect(await why(`Name,Kind,Outcome\n"${"x".repeat(2_000_000)}`)).toContain(
      "a quote that opens on line 2 is never closed"
    )
    expect(await why(`Name,${"x".repeat(2_000_000)}`)).toContain("its first line is too long")
    expect(await why(",".repeat(200_000))).toContain("the list is empty")
  })

  test("is surveyed: how many rows, and a digest that changes with any byte", async () => {
    const one = await surveyList(await sourceOf("Name,Kind,Outcome\na,Dog,\nb,Dog,\n"), FORMAT)
    const other = await surveyList(await sourceOf("Name,Kind,Outcome\na,Dog,\nc,Dog,\n"), FORMAT)
    expect([one.rows, other.rows]).toEqual([2, 2])
    expect(one.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(one.sha256).not.toBe(other.sha256)
  })
})
