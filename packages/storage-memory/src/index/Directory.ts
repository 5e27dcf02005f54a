/**
 * The indexes that are on the same columns: for each combination of values that occurs, its rows in the order of each index. A combination
 * that has few rows has their ids and no lists: most keys are alone, and most pets have few orders.
 */
import type { Row, Value } from "@petstore/core"
import type { Entry, RowOf } from "./Entry.js"
import { countWithin, FEW, idsOf, idsWithin, withId, withoutId } from "./few.js"
import type { Interval } from "./Interval.js"
import type { IndexGroup } from "../Layout.js"
import { Lists } from "./Lists.js"
import type { Owner } from "../Owner.js"
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
    return shelf instanceof Lists
      ? shelf.in(order).ids(interval, descending, limit, rowOf)
      : idsWithin(shelf, this.#sort(order), interval, descending, limit, rowOf)
  }

  count(values: ReadonlyArray<Value>, order: number, interval: Interval, rowOf: RowOf): number {
    const shelf = this.#shelves.get(this.#group.prefixes.ofValues(values))
    if (shelf === undefined) return 0
    return shelf instanceof Lists
      ? shelf.in(order).count(interval, rowOf)
      : countWithin(shelf, this.#sort(order), interval, rowOf)
  }

  /** `entries` stand for the row in the lists of each sort of the collection. */
  add(row: Row, entries: ReadonlyArray<Entry>, rowOf: RowOf): void {
    const prefix = this.#group.prefixes.ofRow(row)
    const shelf = this.#shelves.own(prefix)
    if (shelf instanceof Lists) return shelf.add(this.#owner, entries, rowOf)
    if (shelf === undefined) return this.#shelves.set(prefix, row.id)
    const few = withId(shelf, row.id)
    this.#shelves.set(
      prefix,
      few.length <= FEW ? few : Lists.of(this.#owner, this.#group, [...idsOf(shelf).map(rowOf), row], rowOf)
    )
  }

  remove(row: Row, rowOf: RowOf): void {
    const prefix = this.#group.prefixes.ofRow(row)
    const shelf = this.#shelves.own(prefix)
    if (shelf === undefined) throw new Error(`the index has no entry for the row ${row.id}`)
    if (shelf instanceof Lists) {
      shelf.remove(this.#owner, row, rowOf)
      if (shelf.size === 0) this.#shelves.delete(prefix)
    } else {
      const left = withoutId(shelf, row.id)
      if (left === undefined) this.#shelves.delete(prefix)
      else this.#shelves.set(prefix, left)
    }
  }

  /** Moves the entries of a row that was replaced, in the indexes whose columns changed. */
  replace(before: Row, after: Row, entries: ReadonlyArray<Entry>, rowOf: RowOf): void {
    const { on, prefixes } = this.#group
    if (on.some((column) => before[column] !== after[column])) {
      this.remove(before, rowOf)
      this.add(after, entries, rowOf)
      return
    }
    const shelf = this.#shelves.own(prefixes.ofRow(after))
    if (shelf instanceof Lists) shelf.move(this.#owner, before, after, rowOf)
  }

  #sort(order: number): string {
    return this.#group.sorts[order] ?? "id"
  }
}
