/**
 * The indexes that are on the same columns: for each combination of values that occurs, the ids of its rows in the order
 * of each index. Where a combination has had one row only, that row's id stands in place of the lists: most keys, and
 * most orders of a pet, are alone, and lists of one would weigh ten times as much.
 */
import { type Row, type Value, valueOf } from "@petstore/core"
import { compareEntries, type Entry, entryOf, type RowOf } from "./Entry.js"
import type { Interval } from "./Interval.js"
import type { IndexGroup } from "./Layout.js"
import { OrderedList } from "./OrderedList.js"
import type { Owner } from "./Owner.js"
import type { Prefix } from "./Prefix.js"
import { Shelves } from "./Shelves.js"

export class Directory {
  readonly #owner: Owner
  readonly #group: IndexGroup
  readonly #shelves: Shelves

  constructor(owner: Owner, group: IndexGroup, shelves = Shelves.empty(owner)) {
    this.#owner = owner
    this.#group = group
    this.#shelves = shelves
  }

  ownedBy(owner: Owner): Directory {
    return this.#owner === owner ? this : new Directory(owner, this.#group, this.#shelves.ownedBy(owner))
  }

  /** At most `limit` ids; `rowOf` gives the stored row of an id. */
  ids(
    values: ReadonlyArray<Value>,
    order: number,
    interval: Interval,
    descending: boolean,
    limit: number,
    rowOf: RowOf
  ): ReadonlyArray<number> {
    const shelf = this.#shelves.get(this.#group.prefixes.ofValues(values))
    if (shelf === undefined || limit <= 0) return []
    if (typeof shelf !== "number") return shelf[order]?.ids(interval, descending, limit, rowOf) ?? []
    return this.#holds(interval, order, rowOf(shelf)) ? [shelf] : []
  }

  count(values: ReadonlyArray<Value>, order: number, interval: Interval, rowOf: RowOf): number {
    const shelf = this.#shelves.get(this.#group.prefixes.ofValues(values))
    if (shelf === undefined) return 0
    if (typeof shelf !== "number") return shelf[order]?.count(interval, rowOf) ?? 0
    return this.#holds(interval, order, rowOf(shelf)) ? 1 : 0
  }

  /** `entries` stand for the row in the lists of each sort of the collection. */
  add(row: Row, entries: ReadonlyArray<Entry>, rowOf: RowOf): void {
    const prefix = this.#group.prefixes.ofRow(row)
    const shelf = this.#shelves.own(prefix)
    if (shelf === undefined) {
      this.#shelves.set(prefix, row.id)
    } else {
      const lists = typeof shelf === "number" ? this.#promote(prefix, rowOf(shelf)) : shelf
      const { places } = this.#group
      for (let order = 0; order < places.length; order++) {
        const entry = entries[places[order] ?? 0]
        if (entry !== undefined) this.#own(lists, order).insert(entry, rowOf)
      }
    }
  }

  remove(row: Row, rowOf: RowOf): void {
    const prefix = this.#group.prefixes.ofRow(row)
    const shelf = this.#shelves.own(prefix)
    if (shelf === undefined) throw new Error(`the index has no entry for the row ${row.id}`)
    if (typeof shelf === "number" || shelf[0]?.size === 1) {
      this.#shelves.delete(prefix)
    } else {
      for (let order = 0; order < this.#group.sorts.length; order++) {
        this.#own(shelf, order).remove(this.#entry(row, order), rowOf)
      }
    }
  }

  /** Moves the entries of a row that was replaced, in the indexes whose columns changed. */
  replace(before: Row, after: Row, entries: ReadonlyArray<Entry>, rowOf: RowOf): void {
    const { on, prefixes, sorts } = this.#group
    if (on.some((column) => before[column] !== after[column])) {
      this.remove(before, rowOf)
      this.add(after, entries, rowOf)
      return
    }
    const shelf = this.#shelves.own(prefixes.ofRow(after))
    if (shelf === undefined || typeof shelf === "number") return
    sorts.forEach((sort, order) => {
      if (before[sort] === after[sort]) return
      const list = this.#own(shelf, order)
      list.remove(this.#entry(before, order), rowOf)
      list.insert(this.#entry(after, order), rowOf)
    })
  }

  #promote(prefix: Prefix, row: Row): Array<OrderedList> {
    const lists = this.#group.sorts.map((sort, order) =>
      OrderedList.of(this.#owner, sort, this.#entry(row, order))
    )
    this.#shelves.set(prefix, lists)
    return lists
  }

  #own(shelf: Array<OrderedList>, order: number): OrderedList {
    const list = shelf[order]
    if (list === undefined) throw new Error("an index is missing")
    const owned = list.ownedBy(this.#owner)
    if (owned !== list) shelf[order] = owned
    return owned
  }

  #entry(row: Row, order: number): Entry {
    const sort = this.#group.sorts[order] ?? "id"
    return entryOf(sort, valueOf(row, sort), row.id)
  }

  #holds({ lower, upper }: Interval, order: number, row: Row): boolean {
    if (lower === null && upper === null) return true
    const entry = this.#entry(row, order)
    return (
      (lower === null || compareEntries(entry, lower) >= 0) &&
      (upper === null || compareEntries(entry, upper) < 0)
    )
  }
}
