/** The rows that indexes on the same columns have under one combination of values: a list for each column that they are sorted by. */
import { type Row, valueOf } from "@petstore/core"
import { type Entry, entryOf, type RowOf } from "./Entry.js"
import type { IndexGroup } from "../Layout.js"
import { OrderedList } from "./OrderedList.js"
import type { Owner } from "../Owner.js"

export class Lists {
  readonly #group: IndexGroup
  readonly #lists: Array<OrderedList>

  private constructor(group: IndexGroup, lists: Array<OrderedList>) {
    this.#group = group
    this.#lists = lists
  }

  /** Lists of these rows, which are one at least. */
  static of(owner: Owner, group: IndexGroup, [first, ...others]: ReadonlyArray<Row>, rowOf: RowOf): Lists {
    if (first === undefined) throw new Error("an index has no lists of no row")
    const lists = group.sorts.map((sort) => {
      const list = OrderedList.of(owner, sort, entryIn(sort, first))
      for (const row of others) list.insert(entryIn(sort, row), rowOf)
      return list
    })
    return new Lists(group, lists)
  }

  get size(): number {
    return this.#lists[0]?.size ?? 0
  }

  /** The same lists; whoever changes one has to own it first. */
  copy(): Lists {
    return new Lists(this.#group, this.#lists.slice())
  }

  /** To be looked at only. */
  in(order: number): OrderedList {
    const list = this.#lists[order]
    if (list === undefined) throw new Error("an index is missing")
    return list
  }

  /** `entries` stand for the row in the lists of each sort of the collection. */
  add(owner: Owner, entries: ReadonlyArray<Entry>, rowOf: RowOf): void {
    const { places } = this.#group
    for (let order = 0; order < places.length; order++) {
      const entry = entries[places[order] ?? 0]
      if (entry !== undefined) this.#own(owner, order).insert(entry, rowOf)
    }
  }

  remove(owner: Owner, row: Row, rowOf: RowOf): void {
    for (const [order, sort] of this.#group.sorts.entries())
      this.#own(owner, order).remove(entryIn(sort, row), rowOf)
  }

  /** Moves a row that was replaced in the lists that are sorted by what has changed. */
  move(owner: Owner, before: Row, after: Row, rowOf: RowOf): void {
    for (const [order, sort] of this.#group.sorts.entries()) {
      if (before[sort] === after[sort]) continue
      const list = this.#own(owner, order)
      list.remove(entryIn(sort, before), rowOf)
      list.insert(entryIn(sort, after), rowOf)
    }
  }

  #own(owner: Owner, order: number): OrderedList {
    const list = this.in(order)
    const owned = list.ownedBy(owner)
    if (owned !== list) this.#lists[order] = owned
    return owned
  }
}

const entryIn = (sort: string, row: Row): Entry => entryOf(sort, valueOf(row, sort), row.id)
