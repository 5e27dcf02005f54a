/**
 * The rows of one collection with their indexes. A write checks everything before it changes
 * anything, so a write that throws changes nothing.
 */
import {
  type Collection,
  type Count,
  EVERY_ROW,
  type NewRow,
  type Row,
  type Scan
} from "@petstore/core/storage"
import { type CowToken, newCowToken } from "./CowToken.js"
import { IndexGroup } from "./index/IndexGroup.js"
import { IndexSchema } from "./index/IndexSchema.js"
import { idsBelow, intervalOf } from "./index/Interval.js"
import { DeletedChunks, RowChunks } from "./rows/RowChunks.js"
import { RowSchema } from "./rows/RowSchema.js"

export class Table {
  readonly #rowSchema: RowSchema
  readonly #indexSchema: IndexSchema
  #token: CowToken
  #rows: RowChunks
  readonly #groups: Array<IndexGroup>
  /** Whether a fork may share the rows and the index groups. */
  #isShared: boolean
  #lastId: number
  /** The number of writes, undone ones included. */
  changes = 0
  readonly #rowOf = (id: number): Row => this.#existing(id)

  private constructor(
    rowSchema: RowSchema,
    indexSchema: IndexSchema,
    token: CowToken,
    rows: RowChunks,
    groups: Array<IndexGroup>,
    lastId: number,
    isShared: boolean
  ) {
    this.#rowSchema = rowSchema
    this.#indexSchema = indexSchema
    this.#token = token
    this.#rows = rows
    this.#groups = groups
    this.#lastId = lastId
    this.#isShared = isShared
  }

  static empty(collection: Collection<Row>): Table {
    const rowSchema = RowSchema.of(collection)
    const indexSchema = IndexSchema.of(collection)
    const token = newCowToken()
    const rows = RowChunks.empty(token, rowSchema)
    const groups = indexSchema.groups.map((group) => new IndexGroup(token, group))
    return new Table(rowSchema, indexSchema, token, rows, groups, 0, false)
  }

  /** An independent table with the same rows. Costs the same for any number of rows. */
  fork(): Table {
    // Both get new tokens: what they share is then writable by neither, and copied part by part.
    this.#token = newCowToken()
    this.#isShared = true
    return new Table(
      this.#rowSchema,
      this.#indexSchema,
      newCowToken(),
      this.#rows,
      this.#groups.slice(),
      this.#lastId,
      true
    )
  }

  get(id: number): Row | undefined {
    return this.#rows.get(id)
  }

  scan({ range, after, descending, limit }: Scan): ReadonlyArray<Row> {
    const interval = intervalOf(range, after, descending)
    const index = this.#indexSchema.numberOf(range)
    if (index === null) return this.#rows.scan(range, interval, descending, limit)
    return (
      this.#groups[index.group]
        ?.ids(range.prefix, index.number, interval, descending, limit, this.#rowOf)
        .map(this.#rowOf) ?? []
    )
  }

  count({ range }: Count): number {
    const interval = intervalOf(range, null, false)
    const index = this.#indexSchema.numberOf(range)
    if (index === null)
      return range.prefix.length === 0
        ? this.#rows.count(interval)
        : this.#rows.scan(range, interval, false, Number.POSITIVE_INFINITY).length
    const group = this.#groups[index.group]
    return group?.count(range.prefix, index.number, interval, this.#rowOf) ?? 0
  }

  /** Stores a new row, and returns its id. */
  insert(row: NewRow): number {
    const id = this.#nextId(row)
    this.#makeWritable()
    this.#rows.insert(id, row)
    if (this.#rowSchema.collection.key === "assigned") this.#lastId = id
    if (this.#groups.length > 0) this.#addToIndexes(this.#existing(id))
    return id
  }

  /** Replaces the row with this id, which must exist, and returns the former one. */
  put(row: Row): Row {
    const before = this.#existing(row.id)
    this.#replace(before, this.#rowSchema.freeze(row, row.id, row.revision))
    return before
  }

  /** Removes the row with this id, which must exist, and returns it. */
  remove(id: number): Row {
    const before = this.#existing(id)
    this.#delete(before)
    return before
  }

  /** Removes every row with an id below this one. Returns what undoes it, to be used in reverse. */
  deleteBelow(below: number): ReadonlyArray<UndoRecord> {
    if (this.#groups.length === 0 && this.#rowSchema.collection.key === "assigned") {
      this.#makeWritable()
      return [this.#rows.deleteBelow(Math.min(below, this.#lastId + 1))]
    }
    const removed = this.#rows.scan(EVERY_ROW, idsBelow(below), false, Number.POSITIVE_INFINITY)
    for (const row of removed) this.#delete(row)
    return removed
  }

  /** Undoes the last write that is not undone yet. */
  undo(write: UndoRecord): void {
    if (typeof write === "number") {
      this.#delete(this.#existing(write))
      if (this.#rowSchema.collection.key === "assigned") this.#lastId = write - 1
    } else if (write instanceof DeletedChunks) {
      this.#makeWritable()
      this.#rows.undo(write)
    } else {
      const current = this.#rows.get(write.id)
      if (current !== undefined) this.#replace(current, write)
      else {
        this.#makeWritable()
        this.#rows.put(write)
        this.#addToIndexes(write)
      }
    }
  }

  get #name(): string {
    return this.#rowSchema.collection.name
  }

  #existing(id: number): Row {
    const row = this.#rows.get(id)
    if (row === undefined) throw new Error(`${this.#name} has no row ${id}`)
    return row
  }

  #nextId(row: NewRow): number {
    if (this.#rowSchema.collection.key === "assigned") return this.#lastId + 1
    const { id = 0 } = row
    if (!Number.isSafeInteger(id) || id < 1)
      throw new Error(`${this.#name} can't have the id ${id}`)
    if (this.#rows.has(id)) throw new Error(`${this.#name} already has a row ${id}`)
    return id
  }

  #addToIndexes(row: Row): void {
    const entries = this.#indexSchema.entriesOf(row)
    for (const group of this.#groups) group.add(row, entries, this.#rowOf)
  }

  #delete(row: Row): void {
    this.#makeWritable()
    for (const group of this.#groups) group.remove(row, this.#rowOf)
    this.#rows.delete(row.id)
  }

  #replace(before: Row, after: Row): void {
    this.#makeWritable()
    if (this.#indexSchema.columns.some((column) => before[column] !== after[column])) {
      const entries = this.#indexSchema.entriesOf(after)
      for (const group of this.#groups) group.replace(before, after, entries, this.#rowOf)
    }
    this.#rows.put(after)
  }

  #makeWritable(): void {
    if (!this.#isShared) return
    this.#isShared = false
    this.#rows = this.#rows.writableBy(this.#token)
    for (const [number, group] of this.#groups.entries())
      this.#groups[number] = group.writableBy(this.#token)
  }
}

/**
 * What undoes a write: the id of an inserted row, the former state of a row that was replaced or
 * removed, or the chunks that a `deleteBelow` removed.
 */
export type UndoRecord = number | Row | DeletedChunks
