/** One collection on one connection: its prepared statements. */
import {
  BY_ID,
  type Collection,
  type Count,
  EVERY_ROW,
  type Image,
  type NewRow,
  type Row,
  type Scan,
  type Value
} from "@petstore/core"
import Connection, { type Statement } from "better-sqlite3"
import { Appends } from "./Appends.js"
import { HeldRows } from "./HeldRows.js"
import { imageCodec } from "./ImageCodec.js"
import { IndexQueries, type Prepare } from "./IndexQueries.js"
import type { LastIds } from "./LastIds.js"
import { sqlName } from "./names.js"
import { type Bound, type Encode, type RowCodec, rowCodec } from "./RowCodec.js"
import type { Tallies } from "./Tallies.js"
import type { Tally } from "./Tally.js"

/** At most so many statements are kept for replacements, one for each set of changed columns. */
const MAX_UPDATES = 200

const IN_FULL = { op: "scan", descending: false, after: null, limit: Number.MAX_SAFE_INTEGER } as const

/** A replacement of some columns. */
type Update = {
  readonly statement: Statement
  /** What is written, in the order of the statement. */
  readonly encoders: ReadonlyArray<Encode>
  /** The counts that a change of these may move a row between. */
  readonly moved: ReadonlyArray<Tally>
}

export class Table {
  /** How often this connection changed a row, whether or not that was committed. */
  changes = 0
  readonly #prepare: Prepare
  readonly #collection: Collection<Row>
  readonly #codec: RowCodec
  readonly #name: string
  readonly #get: Statement
  readonly #appends: Appends
  readonly #held = new HeldRows()
  readonly #remove: Statement
  readonly #trim: Statement
  readonly #greatest: Statement
  readonly #tallies: ReadonlyArray<Tally>
  /** Undefined where rows bring their ids. */
  readonly #lastIds: LastIds | undefined
  readonly #updates = new Map<string, Update>()
  readonly #indexes: ReadonlyMap<string, IndexQueries>

  constructor(
    prepare: Prepare,
    collection: Collection<Row>,
    { tallies, lastIds }: { readonly tallies: Tallies; readonly lastIds: LastIds }
  ) {
    this.#prepare = prepare
    this.#collection = collection
    this.#codec = rowCodec(collection, imageCodec())
    this.#name = sqlName(collection.name)
    this.#lastIds = collection.key === "given" ? undefined : lastIds
    this.#tallies = tallies.of(prepare, collection, this.#codec)
    const { written, selected } = this.#codec
    this.#get = prepare(`SELECT ${selected} FROM ${this.#name} WHERE id = ?`).raw()
    // Where SQLite calls a function for each row, as it does to fold a name, a statement of many could fail half-way: it copies each page that they change first.
    this.#appends = new Appends(prepare, this.#name, ["id", ...written], !this.#codec.folds)
    this.#remove = prepare(`DELETE FROM ${this.#name} WHERE id = ?`)
    this.#trim = prepare(`DELETE FROM ${this.#name} WHERE id < ?`)
    this.#greatest = prepare(`SELECT max(id) FROM ${this.#name}`).pluck()
    this.#indexes = new Map(
      [BY_ID, ...collection.indexes].map((index) => [
        index.name,
        new IndexQueries(prepare, collection, this.#codec, index, this.#tallies)
      ])
    )
  }

  /** Puts in what was inserted and waits for more: to be called before anything but an insert, and before the commit. */
  flush(): void {
    this.#appends.flush()
  }

  /** What waits is undone, or another transaction begins. */
  forget(): void {
    this.#appends.forget()
    this.#held.forget()
  }

  /** To be called before a row is changed, inserted or removed. */
  written(): void {
    this.changes++
    this.#held.written()
  }

  get(id: number): Row | undefined {
    const values = this.#get.get(id) as ReadonlyArray<Bound> | undefined
    return values === undefined ? undefined : this.#codec.row(values)
  }

  /** The same for who has the write lock. */
  getHeld(id: number): Row | undefined {
    const held = this.#held.get(id)
    if (held !== undefined) return held
    const row = this.get(id)
    if (row !== undefined) this.#held.keep(row)
    return row
  }

  insert(row: NewRow): Row {
    const inserted: { id: number; revision: number; [column: string]: Value | Image } = {
      id: this.append(row),
      revision: 1
    }
    for (const column of this.#codec.columns) inserted[column] = row[column] ?? null
    return inserted
  }

  /** Inserts for those who only want to know the id. */
  append(row: NewRow): number {
    const { next } = this.#appends
    const given = next ?? (this.#lastIds === undefined ? (row.id ?? 0) : this.#lastIds.next(this.#name))
    const bound: Array<Bound> = [given]
    for (const encode of this.#codec.stored) bound.push(encode(row))
    const id = next ?? this.#first(given, bound)
    if (next !== undefined) this.#appends.later(next, bound)
    for (const tally of this.#tallies) tally.add(row, 1)
    return id
  }

  /** Inserts the first row of a transaction, from whose id on the others are counted. */
  #first(given: number | null, bound: ReadonlyArray<Bound>): number {
    const id = Number(this.#appends.now(bound))
    if (id > Number.MAX_SAFE_INTEGER) throw noIdsLeft(this.#name)
    if (this.#lastIds !== undefined) {
      if (given !== null) this.#lastIds.taken(this.#name)
      this.#appends.follows(id)
    }
    return id
  }

  put(row: Row, changed: ReadonlyArray<string>): void {
    const { statement, encoders, moved } = this.#update(changed)
    const bound: Array<Bound> = [row.revision]
    for (const encode of encoders) bound.push(encode(row))
    bound.push(row.id)
    const before = moved.length === 0 ? undefined : this.get(row.id)
    if (statement.run(...bound).changes !== 1) throw new Error(`put: ${this.#name} has no row ${row.id}`)
    for (const tally of moved) {
      if (before !== undefined) tally.add(before, -1)
      tally.add(row, 1)
    }
  }

  #update(changed: ReadonlyArray<string>): Update {
    const key = changed.join()
    const known = this.#updates.get(key)
    if (known !== undefined) return known
    if (this.#updates.size >= MAX_UPDATES) this.#updates.clear()
    const places = this.#codec.concerned(changed).map((column) => this.#codec.columns.indexOf(column))
    const written = places.map((place) => this.#codec.written[place])
    const assignments = ["revision", ...written].map((column) => `${column} = ?`).join(", ")
    const update = {
      statement: this.#prepare(`UPDATE ${this.#name} SET ${assignments} WHERE id = ?`),
      encoders: places.flatMap((place) => this.#codec.stored[place] ?? []),
      moved: this.#tallies.filter(({ on }) => on.some((column) => changed.includes(column)))
    }
    this.#updates.set(key, update)
    return update
  }

  remove(id: number): void {
    const before = this.#tallies.length === 0 ? undefined : this.get(id)
    this.#noteLast(id + 1)
    if (this.#remove.run(id).changes !== 1) throw new Error(`remove: ${this.#name} has no row ${id}`)
    if (before !== undefined) for (const tally of this.#tallies) tally.add(before, -1)
  }

  trim(below: number): void {
    if (this.#tallies.length > 0) {
      const range = { ...EVERY_ROW, below }
      const before = this.scan({ ...IN_FULL, collection: this.#collection, range })
      for (const row of before) for (const tally of this.#tallies) tally.add(row, -1)
    }
    this.#noteLast(below)
    this.#trim.run(below)
  }

  /** Rows with ids below this one go: with the greatest of all, if that is one of them. */
  #noteLast(below: number): void {
    if (this.#lastIds === undefined) return
    const greatest = Number(this.#greatest.get() ?? below)
    if (greatest >= below) return
    this.#lastIds.gone(this.#name, greatest)
    this.#appends.ask()
  }

  scan(scan: Scan): ReadonlyArray<Row> {
    return this.#index(scan.range.index.name).scan(scan)
  }

  count(count: Count): number {
    return this.#index(count.range.index.name).count(count)
  }

  #index(name: string): IndexQueries {
    const queries = this.#indexes.get(name)
    if (queries === undefined) throw new Error(`${this.#name} has no index ${name}`)
    return queries
  }
}

/** As SQLite says it, which goes on with ids that are no numbers of JavaScript, and then with any that is free. */
const noIdsLeft = (table: string): Error =>
  new Connection.SqliteError(`${table} has no ids left`, "SQLITE_FULL")
