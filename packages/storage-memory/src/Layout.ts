/** What a table works out once from the description of its collection. */
import {
  BY_ID,
  type Collection,
  type Column,
  type Image,
  keptIndexes,
  type NewRow,
  type Range,
  type Row,
  type Value
} from "@petstore/core"
import { type Entry, RowEntry } from "./index/Entry.js"
import { type Prefixes, prefixesOn } from "./index/Prefix.js"

/** Indexes over the same columns, which share one {@link Directory}. */
export type IndexGroup = {
  readonly on: ReadonlyArray<string>
  readonly prefixes: Prefixes
  readonly sorts: ReadonlyArray<string>
  /** Where each of the sorts stands among all sorts of the collection. */
  readonly places: ReadonlyArray<number>
}

/** A column as it is checked. */
export type LaidColumn = { readonly name: string; readonly type: Column["type"]; readonly optional: boolean }

/** Each type is compared with a constant, which costs a fraction of comparing with one that is looked up. */
const isOf = (type: Column["type"], value: Value | Image): boolean =>
  type === "integer"
    ? Number.isInteger(value)
    : type === "text"
      ? typeof value === "string"
      : type === "boolean"
        ? typeof value === "boolean"
        : typeof value === "object"

/** The image itself where nobody can change it, as of rows that this storage handed out; else a copy. */
const frozen = (image: Image): Image => (Object.isFrozen(image) ? image : Object.freeze({ ...image }))

/** The layouts of all collections that any store of this process has a table of. */
const layouts = new WeakMap<Collection<Row>, Layout>()

export class Layout {
  readonly collection: Collection<Row>
  readonly groups: ReadonlyArray<IndexGroup>
  /** The columns that any index is on or is sorted by. */
  readonly indexed: ReadonlyArray<string>
  readonly columns: ReadonlyArray<LaidColumn>
  /** Whether its rows are written all the time and read now and then. */
  readonly isSeldomRead: boolean
  readonly #Blank = blankClass()
  readonly #places: ReadonlyMap<string, number>
  readonly #entries: ReadonlyArray<RowEntry>
  readonly #slots: ReadonlyMap<string, { readonly group: number; readonly order: number }>

  /** The same for every store, so that the rows of a collection have one hidden class however many stores there are. */
  static of(collection: Collection<Row>): Layout {
    let layout = layouts.get(collection)
    if (layout === undefined) {
      layout = new Layout(collection)
      layouts.set(collection, layout)
    }
    return layout
  }

  private constructor(collection: Collection<Row>) {
    const groups: Array<{
      on: ReadonlyArray<string>
      prefixes: Prefixes
      sorts: Array<string>
      places: Array<number>
    }> = []
    const indexes = keptIndexes(collection)
    const allSorts = [...new Set(indexes.map(({ sort }) => sort))]
    const slots = new Map<string, { readonly group: number; readonly order: number }>()
    for (const { name, on, sort } of indexes) {
      let group = groups.findIndex((other) => other.on.join() === on.join())
      if (group < 0)
        group = groups.push({ on, prefixes: prefixesOn(collection, on), sorts: [], places: [] }) - 1
      groups[group]?.places.push(allSorts.indexOf(sort))
      slots.set(name, { group, order: (groups[group]?.sorts.push(sort) ?? 0) - 1 })
    }
    this.collection = collection
    this.groups = groups
    this.#entries = allSorts.map((sort) => new RowEntry(sort))
    this.indexed = [...new Set(groups.flatMap(({ on, sorts }) => on.concat(sorts)))].filter(
      (column) => column !== "id"
    )
    this.isSeldomRead = indexes.length === 0 && collection.indexes.length > 0
    this.columns = Object.entries(collection.columns).map(([name, { type, optional }]) => ({
      name,
      type,
      optional: optional === true
    }))
    this.#places = new Map(this.columns.map(({ name }, place) => [name, place]))
    this.#slots = slots
  }

  /** What stands for a row in the lists of each sort, until the next row is asked for: the same objects are filled anew each time. */
  entriesOf(row: Row): ReadonlyArray<Entry> {
    for (const entry of this.#entries) entry.fill(row)
    return this.#entries
  }

  /** Which list of which directory the range is in; null where it is among the rows by id themselves. */
  slotOf({ index, prefix }: Range): { readonly group: number; readonly order: number } | null {
    if (index.name === BY_ID.name || index.scanned === true) return null
    const slot = this.#slots.get(index.name)
    if (slot === undefined) throw new Error(`${this.collection.name} has no index ${index.name}`)
    if (prefix.length !== index.on.length) throw new Error(`${index.name} takes ${index.on.length} values`)
    return slot
  }

  /** Where the column stands among all. */
  placeOf(column: string): number {
    return this.#places.get(column) ?? -1
  }

  /** What the row has in a column, as it is kept: nobody can change it. Throws where the column can't have it. */
  valueIn({ name, type, optional }: LaidColumn, row: NewRow): Value | Image {
    const value = row[name] ?? null
    if (value === null ? !optional : !isOf(type, value)) {
      const given = typeof value === "number" ? String(value) : JSON.stringify(value)
      throw new Error(`${this.collection.name}.${name} can't be ${given}`)
    }
    return typeof value === "object" && value !== null ? frozen(value) : value
  }

  /** A row that has no column yet. Their members are set in the order of the columns, so that all rows of a collection have one hidden class. */
  blank(id: number, revision: number): Blank {
    return new this.#Blank(id, revision)
  }

  /** A frozen copy of the row under this id, so that nobody keeps a reference through which what is stored could be changed. */
  stored(row: NewRow, id: number, revision: number): Row {
    const copy = this.blank(id, revision)
    for (const column of this.columns) copy[column.name] = this.valueIn(column, row)
    return Object.freeze(copy)
  }
}

type Blank = { readonly id: number; readonly revision: number; [column: string]: Value | Image }

/** What a constructor makes has room for all its members in the object itself; a class for each collection knows how much. */
const blankClass = (): (new (id: number, revision: number) => Blank) =>
  class {
    readonly id: number
    readonly revision: number;
    [column: string]: Value | Image

    constructor(id: number, revision: number) {
      this.id = id
      this.revision = revision
    }
  }
