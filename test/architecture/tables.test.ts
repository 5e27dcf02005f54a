/**
 * Tables of the documentation that list what the code declares: record types, operations, filters,
 * error codes, plans. Each is compared with the declarations, entry by entry.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SPECIFIED_PLANS } from "@petstore/core"
import { RECORD_TYPES } from "@petstore/core/adapter"
import { openApiDocument, PetStoreApi } from "@petstore/http-adapter"
import { expect, test } from "vitest"
import { ERROR_STATUS } from "../../packages/http-adapter/src/contract/ErrorStatus.js"

const root = join(import.meta.dirname, "../..")

/** One thing that a table says, as `row | column | entry`. */
type Entries = ReadonlyArray<string>

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The words in code of a cell, or its text where it has none. */
const wordsOf = (cell: string): ReadonlyArray<string> => {
  const words = [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)
  return words.length > 0 ? words : [cell]
}

const entry = (...parts: ReadonlyArray<string>): string => parts.join(" | ")

/** The entries of the first `columns` columns of the table with this header. */
const entriesIn = (text: string, header: string, columns: number): Entries => {
  const names = cellsOf(header)
  const table = text.split(`\n${header}\n`)[1] ?? ""
  const rows = (/^\|.*(?:\n\|.*)*/.exec(table)?.[0] ?? "").split("\n").slice(1)
  return rows
    .map(cellsOf)
    .flatMap(([row = "", ...cells]) =>
      cells
        .slice(0, columns - 1)
        .flatMap((cell, at) =>
          wordsOf(cell).map((word) => entry(wordsOf(row).join(), names[at + 1] ?? "", word))
        )
    )
}

const differences = (written: Entries, declared: Entries): ReadonlyArray<string> => [
  ...declared.filter((each) => !written.includes(each)).map((each) => `missing: ${each}`),
  ...written.filter((each) => !declared.includes(each)).map((each) => `not declared: ${each}`)
]

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const paths = Object.entries(openApiDocument().paths)

/** The operations of each group by path, such as `GET POST /pets`. */
const operations = Object.values(PetStoreApi.groups).flatMap(({ identifier, endpoints }) => {
  const all = Object.values(endpoints)
  const templates = new Set(all.map(({ path }) => path))
  return [...templates].map((path) => {
    const used = METHODS.filter((each) => all.some((e) => e.path === path && e.method === each))
    const template = path.replace(/:(\w+)/g, "{$1}")
    return entry(identifier, "operations", [...used, template].join(" "))
  })
})

const COMMON_PARAMETERS = new Set(["limit", "cursor", "total", "sort"])

type Parameter = {
  readonly in: string
  readonly name: string
  readonly schema: { readonly enum?: ReadonlyArray<string> }
}

/** The parameters of every list that has a sort. */
const lists = paths.flatMap(([path, { get }]) => {
  const parameters: ReadonlyArray<Parameter> = JSON.parse(JSON.stringify(get?.parameters ?? []))
  const query = parameters.filter((parameter) => parameter.in === "query")
  const sort = query.find(({ name }) => name === "sort")
  if (sort === undefined) return []
  const filters = query.filter(({ name }) => !COMMON_PARAMETERS.has(name))
  const sorts = (sort.schema.enum ?? []).filter((name) => /^\w+$/.test(name))
  return filters
    .map(({ name }) => entry(`GET ${path}`, "filters", name))
    .concat(sorts.map((name) => entry(`GET ${path}`, "`sort`", name)))
})

const TABLES: ReadonlyArray<{
  readonly subject: string
  readonly page: string
  readonly header: string
  readonly columns: number
  readonly declared: Entries
}> = [
  {
    subject: "change types",
    page: "docs/changes.md",
    header: "| kind | types |",
    columns: 2,
    declared: RECORD_TYPES.flatMap(({ kind, changes }) =>
      Object.values(changes).map((type) => entry(kind, "types", type))
    )
  },
  {
    subject: "operations",
    page: "README.md",
    header: "| group | operations | |",
    columns: 2,
    declared: operations
  },
  {
    subject: "filters and sorts of lists",
    page: "docs/http.md",
    header: "| list | filters | `sort` |",
    columns: 3,
    declared: lists
  },
  {
    subject: "error codes",
    page: "docs/http.md",
    header: "| status | codes |",
    columns: 2,
    declared: Object.entries(ERROR_STATUS).map(([code, status]) =>
      entry(String(status), "codes", code)
    )
  },
  {
    subject: "plans",
    page: "docs/limits.md",
    header: "| plan | a UTC minute | a UTC day |",
    columns: 3,
    declared: [
      ...Object.entries(SPECIFIED_PLANS).map(([plan, { perMinute, perDay }]) => ({
        plan,
        perMinute: perMinute.toLocaleString("en-US"),
        perDay: perDay.toLocaleString("en-US")
      })),
      { plan: "enterprise", perMinute: "agreed", perDay: "agreed" }
    ].flatMap(({ plan, perMinute, perDay }) => [
      entry(plan, "a UTC minute", perMinute),
      entry(plan, "a UTC day", perDay)
    ])
  }
]

test.each(TABLES)("the table of $subject in $page has what is declared", (table) => {
  const text = readFileSync(join(root, table.page), "utf8")
  const written = entriesIn(text, table.header, table.columns)
  expect(table.declared.length).toBeGreaterThan(7)
  expect(differences(written, table.declared)).toEqual([])
})

test("a missing row, a missing entry and an entry too many are named", () => {
  const text = "\n| kind | types |\n|---|---|\n| `pet` | `pet.created`, `pet.gone` |\n\nText.\n"
  const declared = ["pet | types | pet.created", "pet | types | pet.updated", "owner | types | a.b"]
  expect(differences(entriesIn(text, "| kind | types |", 2), declared)).toEqual([
    "missing: pet | types | pet.updated",
    "missing: owner | types | a.b",
    "not declared: pet | types | pet.gone"
  ])
})
