/** The rows of one collection with their indexes. Every change checks first and then does all of it, so a change that throws changed nothing. */
import {
  type Collection,
  type Count,
  type NewRow,
  type Range,
  type Row,
  type Scan,
  valueOf
} from "@petstore/core"
import { Directory } from "./Directory.js"
import { idsBelow, intervalOf } from "./Interval.js"
import { Layout } from "./Layout.js"
import { newOwner, type Owner } from "./Owner.js"
import { Pages } from "./Pages.js"

export class Table {
  readonly #layout: Layout
  #owner: Owner
  #pages: Pages
  readonly #directories: Array<Directory>
  /** Whether a fork may have the same pages and directories. */
  #isShared: boolean
  #lastId: number
  /** How often a row was changed, or changed back. */
  changes = 0
  readonly #rowOf = (id: number): Row => this.#existing(id)

  private constructor(
    layout: Layout,
    owner: Owner,
    pages: Pages,
    directories: Array<Directory>,
    lastId: number,
    isShared: boolean
  ) {
    this.#layout = layout
    this.#owner = owner
    this.#pages = pages
    this.#directories = directories
    this.#lastId = lastId
    this.#isShared = isShared
  }

  static empty(collection: Collection<Row>): Table {
    const layout = new Layout(collection)
    const owner = newOwner()
    const directories = layout.groups.map((group) => new Directory(owner, group))
    return new Table(layout, owner, new Pages(owner), directories, 0, false)
  }

  /** A table with the same rows that changes apart from this one from now on. */
  fork(): Table {
    // Both go on under new tokens: what they share belongs to neither, and is copied piece by piece as it is changed.
    this.#owner = newOwner()
    this.#isShared = true
    return new Table(this.#layout, newOwner(), this.#pages, this.#directories.slice(), this.#lastId, true)
  }

  get(id: number): Row | undefined {
    return this.#pages.get(id)
  }

  scan({ range, after, descending, limit }: Scan): ReadonlyArray<Row> {
    const interval = intervalOf(range, after, descending)
    const slot = this.#layout.slotOf(range)
    if (slot === null) return this.#pages.rows(interval, descending, limit, under(range))
    return (
      this.#directories[slot.group]
        ?.ids(range.prefix, slot.order, interval, descending, limit, this.#rowOf)
        .map(this.#rowOf) ?? []
    )
  }

  count({ range }: Count): number {
    const interval = intervalOf(range, null, false)
    const slot = this.#layout.slotOf(range)
    const isUnder = under(range)
    if (slot === null)
      return isUnder === undefined
        ? this.#pages.count(interval)
        : this.#pages.rows(interval, false, Number.POSITIVE_INFINITY, isUnder).length
    const directory = this.#directories[slot.group]
    return directory?.count(range.prefix, slot.order, interval, this.#rowOf) ?? 0
  }

  insert(row: NewRow): Row {
    const assigned = this.#layout.collection.key === "assigned"
    const id = assigned ? this.#lastId + 1 : (row.id ?? 0)
    if (!Number.isSafeInteger(id) || id < 1) throw new Error(`${this.#name} can't have the id ${id}`)
    if (this.#pages.get(id) !== undefined) throw new Error(`${this.#name} already has a row ${id}`)
    const stored = this.#layout.stored(row, id, 1)
    this.#add(stored)
    if (assigned) this.#lastId = id
    return stored
  }

  /** Replaces the row that has this id, and returns the one that was there. */
  put(row: Row): Row {
    const before = this.#existing(row.id)
    this.#replace(before, this.#layout.stored(row, row.id, row.revision))
    return before
  }

  /** Removes the row that has this id, and returns it. */
  remove(id: number): Row {
    const before = this.#existing(id)
    this.#drop(before)
    return before
  }

  /** Removes every row with an id below that one, and returns them. */
  trim(below: number): ReadonlyArray<Row> {
    const gone = this.#pages.rows(idsBelow(below), false, Number.POSITIVE_INFINITY)
    for (const row of gone) this.#drop(row)
    return gone
  }

  undoInsert(id: number): void {
    this.#drop(this.#existing(id))
    if (this.#layout.collection.key === "assigned") this.#lastId = id - 1
  }

  undoPut(before: Row): void {
    this.#replace(this.#existing(before.id), before)
  }

  undoRemove(before: Row): void {
    this.#add(before)
  }

  get #name(): string {
    return this.#layout.collection.name
  }

  #existing(id: number): Row {
    const row = this.#pages.get(id)
    if (row === undefined) throw new Error(`${this.#name} has no row ${id}`)
    return row
  }

  #add(row: Row): void {
    this.#own()
    this.#pages.set(row.id, row)
    const entries = this.#layout.entriesOf(row)
    for (const directory of this.#directories) directory.add(row, entries, this.#rowOf)
  }

  #drop(row: Row): void {
    this.#own()
    for (const directory of this.#directories) directory.remove(row, this.#rowOf)
    this.#pages.delete(row.id)
  }

  #replace(before: Row, after: Row): void {
    this.#own()
    if (this.#layout.indexed.some((column) => before[column] !== after[column])) {
      const entries = this.#layout.entriesOf(after)
      for (const directory of this.#directories) directory.replace(before, after, entries, this.#rowOf)
    }
    this.#pages.set(after.id, after)
  }

  #own(): void {
    if (!this.#isShared) return
    this.#isShared = false
    this.#pages = this.#pages.ownedBy(this.#owner)
    for (const [place, directory] of this.#directories.entries())
      this.#directories[place] = directory.ownedBy(this.#owner)
  }
}

/** Whether a row has the values of the range's prefix, where no list has only those; undefined where every row has. */
const under = ({ index: { on }, prefix }: Range): ((row: Row) => boolean) | undefined =>
  on.length === 0 ? undefined : (row) => on.every((column, at) => valueOf(row, column) === prefix[at])
