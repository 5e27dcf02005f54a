import { type Field, RECORD_TYPES, type RecordType } from "@petstore/core/adapter"
import type { Collection, Column, Row } from "@petstore/core/storage"
import { expect, test } from "vitest"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { sqlName } from "../src/base/names.js"
import type { Connection } from "../src/driver/Driver.js"
import { boundsSql } from "../src/shop/bounds.js"
import { aFile, openStore } from "./aFile.js"

type Member = RecordType["struct"]["fields"][string]

const fieldOf = (member: Member): Field =>
  member.of === "optional" || member.of === "nullable" ? fieldOf(member.field) : member

/** A value that the field has no room for; undefined for a field without bounds of its own. */
const beyond = (field: Field): string | number | undefined =>
  field.of === "text"
    ? "x".repeat(field.maxLength + 1)
    : field.of === "integer"
      ? field.from - 1
      : undefined

const isStored = ({ folds }: Column): boolean => folds === undefined

/** Stores a row of the smallest values with the id 1. */
const addRow = (file: Connection, { name, columns }: Collection<Row>): void => {
  const stored = Object.entries<Column>(columns).filter(([, column]) => isStored(column))
  const values = stored.map(([, { type, values }]) =>
    type === "text" && values === undefined ? "'x'" : "1"
  )
  file.exec(
    `INSERT INTO ${sqlName(name)} (${["id", "revision", ...stored.map(([column]) => sqlName(column))].join(", ")})
      VALUES (${["1", "1", ...values].join(", ")})`
  )
}

const bounded = RECORD_TYPES.flatMap(({ collection, struct }) =>
  Object.entries<Member>(struct.fields).flatMap(([column, member]) => {
    const value = beyond(fieldOf(member))
    const isColumn = column in collection.columns
    return value === undefined || !isColumn ? [] : [{ collection, column, value }]
  })
)

test("every text and number of every record type has bounds, and a row beyond them is found", async () => {
  const filename = aFile()
  await (await openStore({ filename })).close()
  const file = openSqlite(filename)
  file.pragma("foreign_keys = OFF")
  for (const { collection } of RECORD_TYPES) addRow(file, collection)
  const found = () => file.values<string>(boundsSql().join(" UNION ALL ")).all()
  expect(found()).toEqual([])
  expect(bounded.map(({ collection, column }) => `${collection.name}.${column}`)).toEqual(
    expect.arrayContaining(["pets.name", "categories.description", "orders.quantity"])
  )
  for (const { collection, column, value } of bounded) {
    file.exec("BEGIN")
    file.command(`UPDATE ${sqlName(collection.name)} SET ${sqlName(column)} = ?`).run(value)
    const shown = typeof value === "string" ? `${value.length} characters long` : value
    expect(found()).toEqual([`${collection.name} 1: ${column} is ${shown}`])
    file.exec("ROLLBACK")
  }
  file.close()
})
