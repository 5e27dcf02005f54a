/** The rows of an {@link IndexGroup} under one prefix: a sorted index for each sort column. */
import { type Row, valueOf } from "@petstore/core/storage"
import type { CowToken } from "../CowToken.js"
import { entryOf, type IndexEntry, type RowOf } from "./IndexEntry.js"
import type { IndexGroupSchema } from "./IndexSchema.js"
import { SortedIndex } from "./SortedIndex.js"

export class Indexes {
  readonly #schema: IndexGroupSchema
  readonly #indexes: Array<SortedIndex>

  private constructor(schema: IndexGroupSchema, indexes: Array<SortedIndex>) {
    this.#schema = schema
    this.#indexes = indexes
  }

  /** Throws if there are no rows: a prefix without rows has no indexes. */
  static of(
    token: CowToken,
    schema: IndexGroupSchema,
    [first, ...others]: ReadonlyArray<Row>,
    rowOf: RowOf
  ): Indexes {
    if (first === undefined) throw new Error("expected at least one row to index")
    const indexes = schema.sorts.map((sort) => {
      const index = SortedIndex.of(token, sort, entryIn(sort, first))
      for (const row of others) index.insert(entryIn(sort, row), rowOf)
      return index
    })
    return new Indexes(schema, indexes)
  }

  /** The number of rows. */
  get size(): number {
    return this.#indexes[0]?.size ?? 0
  }

  /** The same indexes; each is copied when it is first changed under another token. */
  copy(): Indexes {
    return new Indexes(this.#schema, this.#indexes.slice())
  }

  /** An index by its number in the group, for reads. */
  at(number: number): SortedIndex {
    const index = this.#indexes[number]
    if (index === undefined) throw new Error("an index is missing")
    return index
  }

  /** `entries` are the row's, as `IndexSchema.entriesOf` returns them. */
  add(token: CowToken, entries: ReadonlyArray<IndexEntry>, rowOf: RowOf): void {
    const { entryOffsets } = this.#schema
    for (let number = 0; number < entryOffsets.length; number++) {
      const entry = entries[entryOffsets[number] ?? 0]
      if (entry !== undefined) this.#writable(token, number).insert(entry, rowOf)
    }
  }

  remove(token: CowToken, row: Row, rowOf: RowOf): void {
    for (const [number, sort] of this.#schema.sorts.entries())
      this.#writable(token, number).remove(entryIn(sort, row), rowOf)
  }

  /** Moves a row that was replaced, in the indexes whose sort column changed. */
  move(token: CowToken, before: Row, after: Row, rowOf: RowOf): void {
    for (const [number, sort] of this.#schema.sorts.entries()) {
      if (before[sort] === after[sort]) continue
      const index = this.#writable(token, number)
      index.remove(entryIn(sort, before), rowOf)
      index.insert(entryIn(sort, after), rowOf)
    }
  }

  #writable(token: CowToken, number: number): SortedIndex {
    const index = this.at(number)
    const writable = index.writableBy(token)
    if (writable !== index) this.#indexes[number] = writable
    return writable
  }
}

const entryIn = (sort: string, row: Row): IndexEntry => entryOf(sort, valueOf(row, sort), row.id)
