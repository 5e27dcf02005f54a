/** How the rows of a collection are validated, frozen and laid out in memory. */
import {
  type Collection,
  type Column,
  type Image,
  storedIndexes,
  type NewRow,
  type Row,
  type Value
} from "@petstore/core/storage"

type ColumnSchema = {
  readonly name: string
  readonly type: Column["type"]
  readonly optional: boolean
}

/** One schema for each collection in the process. */
const schemas = new WeakMap<Collection<Row>, RowSchema>()

export class RowSchema {
  readonly collection: Collection<Row>
  readonly columns: ReadonlyArray<ColumnSchema>
  /** Whether rows are written often and read rarely, so that {@link ColumnLayout} suits them. */
  readonly isSeldomRead: boolean
  readonly #Blank = blankClass()
  readonly #numbers: ReadonlyMap<string, number>

  /** All stores share it, so that the rows of a collection have one hidden class in the process. */
  static of(collection: Collection<Row>): RowSchema {
    let schema = schemas.get(collection)
    if (schema === undefined) {
      schema = new RowSchema(collection)
      schemas.set(collection, schema)
    }
    return schema
  }

  private constructor(collection: Collection<Row>) {
    this.collection = collection
    this.isSeldomRead = storedIndexes(collection).length === 0 && collection.indexes.length > 0
    this.columns = Object.entries(collection.columns).map(([name, { type, optional }]) => ({
      name,
      type,
      optional: optional === true
    }))
    this.#numbers = new Map(this.columns.map(({ name }, number) => [name, number]))
  }

  /** The number of the column in {@link columns}; -1 if there is no such column. */
  numberOf(column: string): number {
    return this.#numbers.get(column) ?? -1
  }

  /** The row's value in a column, immutable. Throws if the column can't have the value. */
  valueIn({ name, type, optional }: ColumnSchema, row: NewRow): Value | Image {
    const value = row[name] ?? null
    if (value === null ? !optional : !isOf(type, value)) {
      const given = typeof value === "number" ? String(value) : JSON.stringify(value)
      throw new Error(`${this.collection.name}.${name} can't be ${given}`)
    }
    return typeof value === "object" && value !== null ? freezeImage(value) : value
  }

  /**
   * A row without columns. Set them in the order of {@link columns}, so that all rows of a
   * collection have one hidden class.
   */
  blank(id: number, revision: number): Blank {
    return new this.#Blank(id, revision)
  }

  /**
   * A frozen copy of the row under this id, so that the stored row can't be changed through it.
   */
  freeze(row: NewRow, id: number, revision: number): Row {
    const copy = this.blank(id, revision)
    for (const column of this.columns) copy[column.name] = this.valueIn(column, row)
    return Object.freeze(copy)
  }
}

type Blank = { readonly id: number; readonly revision: number; [column: string]: Value | Image }

/**
 * A constructor of its own for each collection: V8 learns from it how many members a row gets, and
 * allocates them all in the object itself.
 */
const blankClass = (): new (id: number, revision: number) => Blank =>
  class {
    readonly id: number
    readonly revision: number;
    [column: string]: Value | Image

    constructor(id: number, revision: number) {
      this.id = id
      this.revision = revision
    }
  }

/** Compares `type` with constants, which costs a fraction of looking a check up by type. */
const isOf = (type: Column["type"], value: Value | Image): boolean =>
  type === "integer"
    ? Number.isInteger(value)
    : type === "text"
      ? typeof value === "string"
      : type === "boolean"
        ? typeof value === "boolean"
        : typeof value === "object"

/** The image itself if it is frozen, as in rows that this storage returned; else a frozen copy. */
const freezeImage = (image: Image): Image =>
  Object.isFrozen(image) ? image : Object.freeze({ ...image })
