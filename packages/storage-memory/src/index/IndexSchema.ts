/** The indexes of a collection, in groups of those on the same columns. */
import { BY_ID, type Collection, storedIndexes, type Range, type Row } from "@petstore/core/storage"
import { type IndexEntry, MutableEntry } from "./IndexEntry.js"
import { type Prefixes, prefixesOn } from "./Prefix.js"

/** Indexes on the same columns, which share one {@link IndexGroup}. */
export type IndexGroupSchema = {
  readonly on: ReadonlyArray<string>
  readonly prefixes: Prefixes
  /** The column that each index of the group is sorted by. */
  readonly sorts: ReadonlyArray<string>
  /**
   * For each of the sorts, the offset of its entry in what {@link IndexSchema.entriesOf} returns.
   */
  readonly entryOffsets: ReadonlyArray<number>
}

/** An index as the number of its group and its number within the group. */
type IndexNumber = { readonly group: number; readonly number: number }

/** One schema for each collection in the process. */
const schemas = new WeakMap<Collection<Row>, IndexSchema>()

export class IndexSchema {
  readonly groups: ReadonlyArray<IndexGroupSchema>
  /** The columns that any index is on or is sorted by. */
  readonly columns: ReadonlyArray<string>
  readonly #collection: Collection<Row>
  readonly #entries: ReadonlyArray<MutableEntry>
  readonly #numbers: ReadonlyMap<string, IndexNumber>

  static of(collection: Collection<Row>): IndexSchema {
    let schema = schemas.get(collection)
    if (schema === undefined) {
      schema = new IndexSchema(collection)
      schemas.set(collection, schema)
    }
    return schema
  }

  private constructor(collection: Collection<Row>) {
    const groups: Array<{
      on: ReadonlyArray<string>
      prefixes: Prefixes
      sorts: Array<string>
      entryOffsets: Array<number>
    }> = []
    const indexes = storedIndexes(collection)
    const allSorts = [...new Set(indexes.map(({ sort }) => sort))]
    const numbers = new Map<string, IndexNumber>()
    for (const { name, on, sort } of indexes) {
      let group = groups.findIndex((other) => other.on.join() === on.join())
      if (group < 0)
        group =
          groups.push({ on, prefixes: prefixesOn(collection, on), sorts: [], entryOffsets: [] }) - 1
      groups[group]?.entryOffsets.push(allSorts.indexOf(sort))
      numbers.set(name, { group, number: (groups[group]?.sorts.push(sort) ?? 0) - 1 })
    }
    this.#collection = collection
    this.groups = groups
    this.#entries = allSorts.map((sort) => new MutableEntry(sort))
    this.columns = [...new Set(groups.flatMap(({ on, sorts }) => on.concat(sorts)))].filter(
      (column) => column !== "id"
    )
    this.#numbers = numbers
  }

  /**
   * The row's entry for each sort column of the collection. The next call overwrites and returns
   * the same objects.
   */
  entriesOf(row: Row): ReadonlyArray<IndexEntry> {
    for (const entry of this.#entries) entry.fill(row)
    return this.#entries
  }

  /** The index that the range is in; null if the rows by id, in no index, answer it. */
  numberOf({ index, prefix }: Range): IndexNumber | null {
    if (index.name === BY_ID.name || index.unindexed === true) return null
    const number = this.#numbers.get(index.name)
    if (number === undefined) throw new Error(`${this.#collection.name} has no index ${index.name}`)
    if (prefix.length !== index.on.length)
      throw new Error(`${index.name} takes ${index.on.length} values`)
    return number
  }
}
