/**
 * How the rows of a collection are bound and read: enumerations and booleans as small integers,
 * whole rows as JSON, a folded name only where it is not the name in small letters, the rest as it
 * is.
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

/** What SQLite takes and gives. */
export type Bound = string | number | null

/** What a row has in one column, as it is written. */
export type Encode = (row: NewRow) => Bound

export type RowCodec = {
  /** The columns besides id and revision, in the order of the table. */
  readonly columns: ReadonlyArray<string>
  /** What they are written to, in the same order. */
  readonly written: ReadonlyArray<string>
  /** The select list: id, revision, then what was written. */
  readonly selected: string
  /** Whether the table derives a folded name from what is written. */
  readonly folds: boolean
  /**
   * In the order of the columns. {@link NO_CODE} is what a value is written as that the column
   * can't have.
   */
  readonly coded: ReadonlyArray<Encode>
  /** The same for what is stored: a value that the column can't have is a defect. */
  readonly stored: ReadonlyArray<Encode>
  /** Columns that are written where these have changed. */
  readonly concerned: (changed: ReadonlyArray<string>) => ReadonlyArray<string>
  /** One column's value as it is looked for; one that the column can't have is found nowhere. */
  readonly sought: (column: string, value: Value) => Bound
  /** A row, from the values of the select list. */
  readonly row: (values: ReadonlyArray<Bound>) => Row
}

/** Stands for no value of an enumeration: codes count from 0. */
export const NO_CODE = -1

/** How whole rows are written into a column, and read from it. */
export type ImageCodec = {
  /**
   * `kind` is the code of the collection that the image is of; {@link NO_CODE} where none is told.
   */
  readonly write: (image: Image, kind: number) => string
  readonly read: (text: string) => Image
}

/** Images as JSON, with the names of their columns. */
export const NAMED: ImageCodec = {
  write: (image) => JSON.stringify(image),
  read: (text) => JSON.parse(text)
}

const BEYOND_ASCII = /[\u0080-\uffff]/

/** Null where it is what SQLite's `lower`, which knows ASCII only, makes of the text. */
const foldingOf =
  (source: string, column: string): Encode =>
  (row) => {
    const text = valueOf(row, source)
    if (text === null) return null
    const folded = String(valueOf(row, column))
    return folded === String(text).toLowerCase() && !BEYOND_ASCII.test(String(text)) ? null : folded
  }

/** What a text is folded to that nothing was stored for. */
const foldedFrom = (source: Bound): string | null =>
  source === null ? null : String(source).toLowerCase()

/** The one column that holds another one folded. */
const foldedIn = (
  name: string,
  described: ReadonlyArray<readonly [string, Column]>
): { readonly column: string; readonly source: string } | undefined => {
  const [first, second] = described.flatMap(([column, { folds }]) =>
    folds === undefined ? [] : [{ column, source: folds }]
  )
  if (second !== undefined) throw new Error(`${name} has more than one folded column`)
  return first
}

export const rowCodec = (
  collection: Collection<Row>,
  imagesOf: (column: Column) => ImageCodec = () => NAMED
): RowCodec => {
  const described: ReadonlyArray<readonly [string, Column]> = Object.entries(collection.columns)
  const folded = foldedIn(collection.name, described)
  const columns = described.map(([name]) => name)
  const written = columns.map((column) => (column === folded?.column ? FOLDING : sqlName(column)))
  const enumerations = described.map(([, { values }]): ReadonlyArray<Value> | undefined => values)
  const isNumber = described.map(([, { type }]) => type === "integer")
  const images = described.map(([, column]) =>
    column.type === "image" ? imagesOf(column) : undefined
  )
  const foldedAt = folded === undefined ? -1 : columns.indexOf(folded.column)
  const sourceAt = folded === undefined ? -1 : columns.indexOf(folded.source)
  const codes = new Map<string, ReadonlyMap<Value, number>>()
  for (const [name, { values }] of described) {
    if (values !== undefined) codes.set(name, new Map(values.map((value, code) => [value, code])))
  }
  const codeOf = (known: ReadonlyMap<Value, number>, value: Value): Bound =>
    value === null ? null : (known.get(value) ?? NO_CODE)
  const coded = described.map(([column, { imageOf }], at): Encode => {
    if (at === foldedAt && folded !== undefined) return foldingOf(folded.source, column)
    const known = codes.get(column)
    if (known !== undefined) return (row) => codeOf(known, valueOf(row, column))
    const kinds = imageOf === undefined ? undefined : codes.get(imageOf.column)
    const kindOf = (row: NewRow): number =>
      imageOf === undefined ? NO_CODE : (kinds?.get(valueOf(row, imageOf.column)) ?? NO_CODE)
    const imageCodec = images[at] ?? NAMED
    return (row) => {
      const value = row[column] ?? null
      if (typeof value === "object")
        return value === null ? null : imageCodec.write(value, kindOf(row))
      return typeof value === "boolean" ? Number(value) : value
    }
  })
  const stored = coded.map((encode, at): Encode => {
    const column = columns[at] ?? ""
    if (isNumber[at] === true) {
      // SQLite would make null of NaN.
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
    written,
    selected: ["id", "revision", ...written].join(", "),
    folds: foldedAt >= 0,
    coded,
    stored,
    sought: (column, value) => {
      const known = codes.get(column)
      if (known !== undefined) return codeOf(known, value)
      return typeof value === "boolean" ? Number(value) : value
    },
    concerned: (changed) =>
      folded !== undefined && changed.includes(folded.source) && !changed.includes(folded.column)
        ? [...changed, folded.column]
        : changed,
    row: (values) => {
      // Always the same members in the same order, so that all rows of a collection have one hidden
      // class.
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
              ? foldedFrom(values[sourceAt + 2] ?? null)
              : value !== null
                ? (images[at]?.read(String(value)) ?? value)
                : value
      }
      return row
    }
  }
}
