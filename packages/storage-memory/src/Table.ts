/** The rows of one collection with their indexes. Every change checks first and then does all of it, so a change that throws changed nothing. */
import { type Collection, type Count, EVERY_ROW, type NewRow, type Row, type Scan } from "@petstore/core"
import { Directory } from "./index/Directory.js"
import { idsBelow, intervalOf } from "./index/Interval.js"
import { Layout } from "./Layout.js"
import { newOwner, type Owner } from "./Owner.js"
import { Cut, Pages } from "./rows/Pages.js"

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
    const layout = Layout.of(collection)
    const owner = newOwner()
    const directories = layout.groups.map((group) => new Directory(owner, group))
    return new Table(layout, owner, Pages.empty(owner, layout), directories, 0, false)
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
    if (slot === null) return this.#pages.rows(range, interval, descending, limit)
    return (
      this.#directories[slot.group]
        ?.ids(range.prefix, slot.order, interval, descending, limit, this.#rowOf)
        .map(this.#rowOf) ?? []
    )
  }

  count({ range }: Count): number {
    const interval = intervalOf(range, null, false)
    const slot = this.#layout.slotOf(range)
    if (slot === null)
      return range.prefix.length === 0
        ? this.#pages.count(interval)
        : this.#pages.rows(range, interval, false, Number.POSITIVE_INFINITY).length
    const directory = this.#directories[slot.group]
    return directory?.count(range.prefix, slot.order, interval, this.#rowOf) ?? 0
  }

  /** Stores a new row, and returns its id. */
  insert(row: NewRow): number {
    const id = this.#nextId(row)
    this.#own()
    this.#pages.insert(id, row)
    if (this.#layout.collection.key === "assigned") this.#lastId = id
    if (this.#directories.length > 0) this.#list(this.#existing(id))
    return id
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

  /** Removes every row with an id below that one, and returns what undoes it, the last of it first to be used. */
  trim(below: number): ReadonlyArray<Undone> {
    if (this.#directories.length === 0 && this.#layout.collection.key === "assigned") {
      this.#own()
      return [this.#pages.cut(Math.min(below, this.#lastId + 1))]
    }
    const gone = this.#pages.rows(EVERY_ROW, idsBelow(below), false, Number.POSITIVE_INFINITY)
    for (const row of gone) this.#drop(row)
    return gone
  }

  /** Takes back the last write that was not taken back yet. */
  undo(write: Undone): void {
    if (typeof write === "number") {
      this.#drop(this.#existing(write))
      if (this.#layout.collection.key === "assigned") this.#lastId = write - 1
    } else if (write instanceof Cut) {
      this.#own()
      this.#pages.undo(write)
    } else {
      const now = this.#pages.get(write.id)
      if (now !== undefined) this.#replace(now, write)
      else {
        this.#own()
        this.#pages.put(write)
        this.#list(write)
      }
    }
  }

  get #name(): string {
    return this.#layout.collection.name
  }

  #existing(id: number): Row {
    const row = this.#pages.get(id)
    if (row === undefined) throw new Error(`${this.#name} has no row ${id}`)
    return row
  }

  #nextId(row: NewRow): number {
    if (this.#layout.collection.key === "assigned") return this.#lastId + 1
    const { id = 0 } = row
    if (!Number.isSafeInteger(id) || id < 1) throw new Error(`${this.#name} can't have the id ${id}`)
    if (this.#pages.has(id)) throw new Error(`${this.#name} already has a row ${id}`)
    return id
  }

  #list(row: Row): void {
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
    this.#pages.put(after)
  }

  #own(): void {
    if (!this.#isShared) return
    this.#isShared = false
    this.#pages = this.#pages.ownedBy(this.#owner)
    for (const [place, directory] of this.#directories.entries())
      this.#directories[place] = directory.ownedBy(this.#owner)
  }
}

/** What undoes a write: the id of a row that was inserted, a row that was replaced or removed, or what a trim has cut off. */
export type Undone = number | Row | Cut
