/**
 * Encodes the rows of a collection as parameters of statements, and decodes them from results.
 * Enumerations and booleans are small integers, images are JSON, and a folded name is null if
 * SQLite's `lower` gives the same.
 */
import {
  type Collection,
  type Column,
  type Image,
  type NewRow,
  type Row,
  type Value,
  valueOf
} from "@petstore/core/storage"
import { FOLDING, sqlName } from "../base/names.js"

/** A value of a column as SQLite stores it. */
export type ColumnValue = string | number | null

/** Encodes the value that a row has in one column. */
export type Encode = (row: NewRow) => ColumnValue

export type RowCodec = {
  /** The columns besides id and revision, in the order of the table. */
  readonly columns: ReadonlyArray<string>
  /** The names of the columns in SQL, in the same order. */
  readonly sqlColumns: ReadonlyArray<string>
  /** The select list: id, revision, then `sqlColumns`. */
  readonly selectList: string
  /** In the order of the columns. A value that the column can't have becomes {@link NO_CODE}. */
  readonly encoders: ReadonlyArray<Encode>
  /** The same for rows that are stored: they throw if the column can't have the value. */
  readonly strictEncoders: ReadonlyArray<Encode>
  /** The columns to write if these have changed: a folded column follows its source. */
  readonly columnsToWrite: (changed: ReadonlyArray<string>) => ReadonlyArray<string>
  /** The parameter to search a column for a value; no row matches one that it can't have. */
  readonly searchValue: (column: string, value: Value) => ColumnValue
  /** Decodes a row from the values of the select list. */
  readonly row: (values: ReadonlyArray<ColumnValue>) => Row
}

/** The code of no value: codes of enumerations start at 0. */
export const NO_CODE = -1

/** Encodes images, which are whole rows within a column. */
export type ImageCodec = {
  /**
   * `kind` is the code of the collection of the image; {@link NO_CODE} if the row has none.
   */
  readonly write: (image: Image, kind: number) => string
  readonly read: (text: string) => Image
}

/** Images as JSON objects with the names of their columns. */
export const PLAIN_JSON: ImageCodec = {
  write: (image) => JSON.stringify(image),
  read: (text) => JSON.parse(text)
}

const BEYOND_ASCII = /[\u0080-\uffff]/

/** Null if SQLite's `lower` gives the folded text too; `lower` handles ASCII only. */
const foldedEncoder =
  (source: string, column: string): Encode =>
  (row) => {
    const text = valueOf(row, source)
    if (text === null) return null
    const folded = String(valueOf(row, column))
    return folded === String(text).toLowerCase() && !BEYOND_ASCII.test(String(text)) ? null : folded
  }

/** The folded text of a row that stores null for it. */
const lowerCaseOf = (source: ColumnValue): string | null =>
  source === null ? null : String(source).toLowerCase()

/** The column that has the folded text of another one. A collection has at most one. */
const foldedColumnOf = (
  name: string,
  declared: ReadonlyArray<readonly [string, Column]>
): { readonly column: string; readonly source: string } | undefined => {
  const [first, second] = declared.flatMap(([column, { folds }]) =>
    folds === undefined ? [] : [{ column, source: folds }]
  )
  if (second !== undefined) throw new Error(`${name} has more than one folded column`)
  return first
}

export const rowCodec = (
  collection: Collection<Row>,
  imageCodecFor: (column: Column) => ImageCodec = () => PLAIN_JSON
): RowCodec => {
  const declared: ReadonlyArray<readonly [string, Column]> = Object.entries(collection.columns)
  const folded = foldedColumnOf(collection.name, declared)
  const columns = declared.map(([name]) => name)
  const sqlColumns = columns.map((column) =>
    column === folded?.column ? FOLDING : sqlName(column)
  )
  const enumerations = declared.map(([, { values }]): ReadonlyArray<Value> | undefined => values)
  const isNumber = declared.map(([, { type }]) => type === "integer")
  const imageCodecs = declared.map(([, column]) =>
    column.type === "image" ? imageCodecFor(column) : undefined
  )
  const foldedPosition = folded === undefined ? -1 : columns.indexOf(folded.column)
  const sourcePosition = folded === undefined ? -1 : columns.indexOf(folded.source)
  const codes = new Map<string, ReadonlyMap<Value, number>>()
  for (const [name, { values }] of declared) {
    if (values !== undefined) codes.set(name, new Map(values.map((value, code) => [value, code])))
  }
  const codeOf = (columnCodes: ReadonlyMap<Value, number>, value: Value): ColumnValue =>
    value === null ? null : (columnCodes.get(value) ?? NO_CODE)
  const encoders = declared.map(([column, { imageOf }], at): Encode => {
    if (at === foldedPosition && folded !== undefined) return foldedEncoder(folded.source, column)
    const columnCodes = codes.get(column)
    if (columnCodes !== undefined) return (row) => codeOf(columnCodes, valueOf(row, column))
    const kinds = imageOf === undefined ? undefined : codes.get(imageOf.column)
    const kindOf = (row: NewRow): number =>
      imageOf === undefined ? NO_CODE : (kinds?.get(valueOf(row, imageOf.column)) ?? NO_CODE)
    const imageCodec = imageCodecs[at] ?? PLAIN_JSON
    return (row) => {
      const value = row[column] ?? null
      if (typeof value === "object")
        return value === null ? null : imageCodec.write(value, kindOf(row))
      return typeof value === "boolean" ? Number(value) : value
    }
  })
  const strictEncoders = encoders.map((encode, at): Encode => {
    const column = columns[at] ?? ""
    if (isNumber[at] === true) {
      // SQLite would store NaN as null.
      return (row) => {
        const value = encode(row)
        if (value === null || Number.isInteger(value)) return value
        throw new Error(`${collection.name}.${column} can't be ${String(value)}`)
      }
    }
    if (!codes.has(column)) return encode
    return (row) => {
      const code = encode(row)
      if (code === NO_CODE)
        throw new Error(`${collection.name}.${column} can't be ${valueOf(row, column)}`)
      return code
    }
  })
  return {
    columns,
    sqlColumns,
    selectList: ["id", "revision", ...sqlColumns].join(", "),

    encoders,
    strictEncoders,
    searchValue: (column, value) => {
      const columnCodes = codes.get(column)
      if (columnCodes !== undefined) return codeOf(columnCodes, value)
      return typeof value === "boolean" ? Number(value) : value
    },
    columnsToWrite: (changed) =>
      folded !== undefined && changed.includes(folded.source) && !changed.includes(folded.column)
        ? [...changed, folded.column]
        : changed,
    row: (values) => {
      // The same properties in the same order, so that all rows of a collection share one hidden
      // class of V8.
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
            : at === foldedPosition && value === null
              ? lowerCaseOf(values[sourcePosition + 2] ?? null)
              : value !== null
                ? (imageCodecs[at]?.read(String(value)) ?? value)
                : value
      }
      return row
    }
  }
}
