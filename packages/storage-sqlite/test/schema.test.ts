import {
  BY_ID,
  type Collection,
  Collections,
  COLLECTIONS,
  type Column,
  count,
  type Index,
  insert,
  storedIndexes,
  type Program,
  type ReadProgram,
  type Row,
  scan,
  Storage
} from "@petstore/core/storage"
import type { Connection } from "../src/driver/Driver.js"
import { openSqlite, recordsIn } from "../../../test/e2e/openSqlite.js"
import { Effect, Layer } from "effect"
import { describe, expect, test } from "vitest"
import { indexName, sqlName } from "../src/base/names.js"
import { SqliteStorage } from "../src/index.js"
import { aFile, openStore } from "./aFile.js"

type SupplierRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly foldedName: string
  readonly active: boolean
  readonly sinceMs: number | null
}

/** It is stored only where it is not the name in small letters. */
const FOLDED = [
  { name: "folding", type: "TEXT", optional: true },
  { name: "folded_name", type: "TEXT", optional: true }
]

/**
 * Rows without a value of an optional sort column are in the index by id, which has those with a
 * value apart: what of an index there is, and what its rows have.
 */
const halvesOf = ({ columns, indexes }: Collection<Row>, { on, sort }: Index) => {
  const described: Readonly<Record<string, Column>> = columns
  const related = indexes.filter((other) => other.on.join() === on.join())
  const optional = related.find((other) => described[other.sort]?.optional === true)?.sort
  if (optional === undefined || !related.some((other) => other.sort === "id"))
    return [{ suffix: "", having: [] }]
  const column = sqlName(optional)
  if (sort === optional) return [{ suffix: "", having: [`${column} IS NOT NULL`] }]
  if (sort !== "id") return [{ suffix: "", having: [] }]
  return [
    { suffix: `_without_${column}`, having: [`${column} IS NULL`] },
    { suffix: `_with_${column}`, having: [`${column} IS NOT NULL`] }
  ]
}

/** One index, or one for each value of a column that has few. */
const partsOf = (collection: Collection<Row>, index: Index) => {
  const { name, on, sort } = index
  const columns: Readonly<Record<string, Column>> = collection.columns
  const indexed = [...on, sort].filter((column) => column !== "id")
  const parting =
    indexed.length === 1 ? undefined : on.find((column) => columns[column]?.values !== undefined)
  const values = parting === undefined ? [undefined] : (columns[parting]?.values ?? [])
  return values.flatMap((_, part) =>
    halvesOf(collection, index).map(({ suffix, having }) => {
      const within = [
        ...(parting === undefined ? [] : [`${sqlName(parting)} = ${part}`]),
        ...having
      ]
      return {
        name: `${indexName(collection.name, name, parting === undefined ? undefined : part)}${suffix}`,
        columns: indexed.filter((column) => column !== parting).map(sqlName),
        within: within.length === 0 ? null : within.join(" AND ")
      }
    })
  )
}

const described = (collection: Collection<Row>) => ({
  columns: [
    { name: "id", type: "INTEGER", optional: true },
    { name: "revision", type: "INTEGER", optional: false },
    ...Object.entries(collection.columns).flatMap(([name, { type, values, optional }]) =>
      name === "foldedName"
        ? FOLDED
        : [
            {
              name: sqlName(name),
              type:
                type === "image" || (type === "text" && values === undefined) ? "TEXT" : "INTEGER",
              optional: optional === true
            }
          ]
    )
  ],
  indexes: storedIndexes(collection)
    .flatMap((index) => partsOf(collection, index))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  references: Object.entries(collection.columns).flatMap(([name, { references }]) =>
    references === undefined
      ? []
      : { from: sqlName(name), table: sqlName(references.collection.name), to: "id" }
  )
})

/** Which rows an index has, if not all. */
const conditionOf = (file: Connection, index: string): string | null => {
  const sql = file.values<string>("SELECT sql FROM sqlite_schema WHERE name = ?").get(index)
  return / WHERE (.*)$/.exec(sql ?? "")?.[1] ?? null
}

describe("the schema", () => {
  test("a migrated file has exactly the tables, columns, indexes and references that core describes", async () => {
    const filename = aFile()
    await openStore({ filename })
    const file = openSqlite(filename)
    const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS
    const found = collections.map(({ name, key }) => {
      const table = sqlName(name)
      const columns = recordsIn(file, `PRAGMA table_xinfo(${table})`)
      const indexes = file.values<string>("SELECT name FROM pragma_index_list(?)").all(table)
      const references = recordsIn(file, `PRAGMA foreign_key_list(${table})`)
      return {
        columns: columns.map(({ name, type, notnull }) => ({
          name,
          type,
          optional: notnull === 0
        })),
        indexes: indexes
          .map((index) => ({
            name: index,
            within: conditionOf(file, index),
            columns: file.values<string>("SELECT name FROM pragma_index_info(?)").all(index)
          }))
          .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
        // An inventory entry has its pet's id, which core can't say of an id.
        references: references
          .filter(({ from }) => from !== "id")
          .map(({ from, table, to }) => ({ from, table, to })),
        key
      }
    })
    expect(found).toEqual(
      collections.map((collection) => ({ ...described(collection), key: collection.key }))
    )
    const tables = file
      .values<string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      )
      .all()
    expect(new Set(tables)).toEqual(
      new Set([
        ...collections.map(({ name }) => sqlName(name)),
        "usage",
        "kept_totals",
        "last_ids",
        "about"
      ])
    )
    file.close()
  })

  test("a collection that the storage is handed gets its table, indexes and counts in a new file, and its rows are found by them", async () => {
    const suppliers: Collection<SupplierRow> = {
      name: "suppliers",
      key: "assigned",
      columns: {
        name: { type: "text" },
        foldedName: { type: "text", folds: "name" },
        active: { type: "boolean", values: [false, true] },
        sinceMs: { type: "integer", optional: true }
      },
      indexes: [
        { name: "active", on: ["active"], sort: "id" },
        { name: "active_since", on: ["active"], sort: "sinceMs", nullsInIdIndex: true },
        { name: "active_folded_name", on: ["active"], sort: "foldedName" }
      ],
      counts: [{ name: "active", on: ["active"] }]
    }
    const layer = Layer.provide(
      SqliteStorage.layer({ filename: aFile() }),
      Layer.succeed(Collections, [suppliers])
    )
    const found = await Effect.runPromise(
      Effect.gen(function* () {
        const { write, read } = yield* Storage
        yield* write(function* (): Program<void> {
          yield* insert(suppliers, { name: "Zoë", foldedName: "zoë", active: true, sinceMs: 5 })
          yield* insert(suppliers, {
            name: "Adam",
            foldedName: "adam",
            active: true,
            sinceMs: null
          })
          yield* insert(suppliers, { name: "Bea", foldedName: "bea", active: false, sinceMs: 3 })
        })
        return yield* read(function* (): ReadProgram<unknown> {
          const names: Array<ReadonlyArray<string>> = []
          for (const index of suppliers.indexes) {
            const range = { index, prefix: [true], atLeast: null, below: null }
            names.push((yield* scan(suppliers, range, { limit: 9 })).map(({ name }) => name))
          }
          const all = {
            index: suppliers.indexes[0] ?? BY_ID,
            prefix: [true],
            atLeast: null,
            below: null
          }
          return { names, active: yield* count(suppliers, all) }
        })
      }).pipe(Effect.provide(layer), Effect.scoped)
    )
    expect(found).toEqual({
      names: [
        ["Zoë", "Adam"],
        ["Adam", "Zoë"],
        ["Adam", "Zoë"]
      ],
      active: 2
    })
  })

  test("nothing is written for each row to know the next id by", async () => {
    const filename = aFile()
    const store = await openStore({ filename })
    store.direct.categories.create({ name: "Fish" })
    const file = openSqlite(filename)
    expect(file.rows("SELECT * FROM last_ids").all()).toEqual([])
    // SQLite counts the ids of AUTOINCREMENT in this one.
    expect(
      file.rows("SELECT name FROM sqlite_schema WHERE name = 'sqlite_sequence'").all()
    ).toEqual([])
    file.close()
  })
})
