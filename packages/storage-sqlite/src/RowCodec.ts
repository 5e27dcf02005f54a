/**
 * How the rows of a collection are bound and read: enumerations and booleans as small integers, whole rows as JSON, a folded
 * name only where it is not the name in small letters, the rest as it is.
 */
import { type Collection, type Image, type NewRow, type Row, type Value, valueOf } from "@petstore/core"
import type { ImageCodec } from "./ImageCodec.js"
import { sqlName } from "./names.js"

/** What SQLite takes and gives. */
export type Bound = string | number | null

export type RowCodec = {
  /** The columns besides id and revision, in the order of the table. */
  readonly columns: ReadonlyArray<string>
  /** What they are written to, in the same order. */
  readonly written: ReadonlyArray<string>
  /** The select list: id, revision, then what was written. */
  readonly selected: string
  /** What one column of a row is written as. A value the column can't have is a defect. */
  readonly stored: (column: string, row: NewRow) => Bound
  /** Columns that are written where these have changed. */
  readonly concerned: (changed: ReadonlyArray<string>) => ReadonlyArray<string>
  /** One column's value as it is looked for; one that the column can't have is found nowhere. */
  readonly sought: (column: string, value: Value) => Bound
  /** A row, from the values of the select list. */
  readonly row: (values: ReadonlyArray<Bound>) => Row
}

/** Stands for no value of an enumeration: codes count from 0. */
export const NO_CODE = -1

/** This column of core is written as the column `folding`, and looked for as one that the table derives from that. */
const FOLDED = "foldedName"
const NAME = "name"
const FOLDING = "folding"

const BEYOND_ASCII = /[\u0080-\uffff]/

/** Null where it is what SQLite's `lower`, which knows ASCII only, makes of the name. */
const foldingOf = (row: NewRow): Bound => {
  const name = String(valueOf(row, NAME))
  const folded = String(valueOf(row, FOLDED))
  return folded === name.toLowerCase() && !BEYOND_ASCII.test(name) ? null : folded
}

/** Rows in columns as JSON, with the names of their members. */
const NAMED: ImageCodec = { write: (image) => JSON.stringify(image), read: (text) => JSON.parse(text) }

export const rowCodec = (collection: Collection<Row>, images: ImageCodec = NAMED): RowCodec => {
  const described = Object.entries(collection.columns)
  const columns = described.map(([name]) => name)
  const written = columns.map((column) => (column === FOLDED ? FOLDING : sqlName(column)))
  const enumerations = described.map(([, { values }]): ReadonlyArray<Value> | undefined => values)
  const isImage = described.map(([, { type }]) => type === "image")
  const foldedAt = columns.indexOf(FOLDED)
  const nameAt = columns.indexOf(NAME)
  const codes = new Map<string, ReadonlyMap<Value, number>>()
  for (const [name, { values }] of described) {
    if (values !== undefined) codes.set(name, new Map(values.map((value, code) => [value, code])))
  }
  const sought = (column: string, value: Value): Bound => {
    const known = codes.get(column)
    if (known !== undefined) return value === null ? null : (known.get(value) ?? NO_CODE)
    return typeof value === "boolean" ? Number(value) : value
  }
  return {
    columns,
    written,
    selected: ["id", "revision", ...written].join(", "),
    sought,
    stored: (column, row) => {
      if (column === FOLDED) return foldingOf(row)
      const value = row[column] ?? null
      if (typeof value === "object" && value !== null) return images.write(value)
      const bound = sought(column, value)
      if (bound === NO_CODE && codes.has(column))
        throw new Error(`${collection.name}.${column} can't be ${value}`)
      return bound
    },
    concerned: (changed) =>
      foldedAt >= 0 && changed.includes(NAME) && !changed.includes(FOLDED) ? [...changed, FOLDED] : changed,
    row: (values) => {
      // Always the same members in the same order, so that all rows of a collection have one hidden class.
      const row: { id: number; revision: number; [column: string]: Value | Image } = {
        id: Number(values[0]),
        revision: Number(values[1])
      }
      for (let at = 0; at < columns.length; at++) {
        const value = values[at + 2] ?? null
        const enumeration = enumerations[at]
        row[columns[at] ?? ""] =
          enumeration !== undefined && value !== null
            ? (enumeration[Number(value)] ?? null)
            : at === foldedAt && value === null
              ? String(values[nameAt + 2]).toLowerCase()
              : isImage[at] === true && value !== null
                ? images.read(String(value))
                : value
      }
      return row
    }
  }
}
