import { COLLECTIONS, type Collection, type Row } from "@petstore/core"
import Connection from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { indexName, sqlName } from "../src/names.js"
import { aFile, openStore } from "./aFile.js"

type ColumnInfo = {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}
type Reference = { readonly from: string; readonly table: string; readonly to: string }

const described = (collection: Collection<Row>) => ({
  columns: [
    { name: "id", type: "INTEGER", optional: true },
    { name: "revision", type: "INTEGER", optional: false },
    ...Object.entries(collection.columns).map(([name, { type, values, optional }]) => ({
      name: sqlName(name),
      type: type === "text" && values === undefined ? "TEXT" : "INTEGER",
      optional: optional === true
    }))
  ],
  indexes: collection.indexes
    .map(({ name, on, sort }) => ({
      name: indexName(collection.name, name),
      columns: [...on, sort].filter((column) => column !== "id").map(sqlName)
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  references: Object.entries(collection.columns)
    .filter(([, { references }]) => references !== undefined)
    .map(([name, { references }]) => ({ from: sqlName(name), table: references, to: "id" }))
})

describe("the schema", () => {
  test("a migrated file has exactly the tables, columns, indexes and references that core describes", async () => {
    const filename = aFile()
    await openStore({ filename })
    const file = new Connection(filename)
    const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS
    const found = collections.map(({ name, key }) => {
      const table = sqlName(name)
      const columns = file.pragma(`table_info(${table})`) as ReadonlyArray<ColumnInfo>
      const indexes = file.pragma(`index_list(${table})`) as ReadonlyArray<{ readonly name: string }>
      const references = file.pragma(`foreign_key_list(${table})`) as ReadonlyArray<Reference>
      return {
        columns: columns.map(({ name, type, notnull }) => ({ name, type, optional: notnull === 0 })),
        indexes: indexes
          .map((index) => ({
            name: index.name,
            columns: (
              file.pragma(`index_info(${index.name})`) as ReadonlyArray<{ readonly name: string }>
            ).map((column) => column.name)
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
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      )
      .all()
    expect(new Set(tables.map(({ name }) => name))).toEqual(
      new Set([...collections.map(({ name }) => sqlName(name)), "usage", "tallies"])
    )
    file.close()
  })

  test("collections that assign ids never reuse one", async () => {
    const filename = aFile()
    await openStore({ filename })
    const file = new Connection(filename)
    for (const { name, key } of COLLECTIONS) {
      const sql = file.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").pluck().get(sqlName(name))
      expect([name, String(sql).includes("AUTOINCREMENT")]).toEqual([name, key === "assigned"])
    }
    file.close()
  })
})
