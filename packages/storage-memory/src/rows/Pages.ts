/** The rows of a collection by id, in pages: ids are dense, so a page is found by its number and a row by its place in it. */
import type { NewRow, Range, Row } from "@petstore/core"
import { entryOf } from "../index/Entry.js"
import type { Interval } from "../index/Interval.js"
import type { Layout } from "../Layout.js"
import type { Owner } from "../Owner.js"
import { numberOf, Page } from "./Page.js"
import { PAGE } from "./Slots.js"

/** What was cut off: whole pages, and from where on and how many rows there were. */
export class Cut {
  readonly pages: ReadonlyArray<Page>
  readonly firstId: number
  readonly size: number

  constructor(pages: ReadonlyArray<Page>, firstId: number, size: number) {
    this.pages = pages
    this.firstId = firstId
    this.size = size
  }
}

export class Pages {
  readonly #owner: Owner
  readonly #layout: Layout
  /** In order of their numbers; a page without rows is not kept. */
  readonly #pages: Array<Page>
  #size: number
  /** Rows with a lower id are gone, though a page may still have them. */
  #firstId: number

  private constructor(owner: Owner, layout: Layout, pages: Array<Page>, size: number, firstId: number) {
    this.#owner = owner
    this.#layout = layout
    this.#pages = pages
    this.#size = size
    this.#firstId = firstId
  }

  static empty(owner: Owner, layout: Layout): Pages {
    return new Pages(owner, layout, [], 0, 0)
  }

  ownedBy(owner: Owner): Pages {
    if (this.#owner === owner) return this
    return new Pages(owner, this.#layout, this.#pages.slice(), this.#size, this.#firstId)
  }

  /** Removes the rows below an id, which none is stored under from now on: it gives back whole pages, and passes over what is left. */
  cut(id: number): Cut {
    const firstId = Math.max(id, this.#firstId)
    const size = this.count({ lower: null, upper: entryOf("id", firstId, firstId) })
    const cut = new Cut(this.#pages.splice(0, this.#indexOf(numberOf(firstId))), this.#firstId, size)
    this.#firstId = firstId
    this.#size -= size
    return cut
  }

  /** Takes back the last cut, once everything that was written since is taken back. */
  undo(cut: Cut): void {
    this.#pages.unshift(...cut.pages)
    this.#firstId = cut.firstId
    this.#size += cut.size
  }

  get(id: number): Row | undefined {
    const number = numberOf(id)
    const page = this.#pages[this.#indexOf(number)]
    return page?.number === number && id >= this.#firstId ? page.slots.get(page.offsetOf(id)) : undefined
  }

  has(id: number): boolean {
    const number = numberOf(id)
    const page = this.#pages[this.#indexOf(number)]
    return page?.number === number && id >= this.#firstId && page.slots.has(page.offsetOf(id))
  }

  /** Stores a new row under this id, which no row has. */
  insert(id: number, row: NewRow): void {
    const page = this.#pageOf(numberOf(id))
    page.slots.insert(page.offsetOf(id), row)
    page.size++
    this.#size++
  }

  /** Puts a row that was stored in the place of the one that has its id, or where none has. */
  put(row: Row): void {
    const page = this.#pageOf(numberOf(row.id))
    const offset = page.offsetOf(row.id)
    const isNew = !page.slots.has(offset)
    page.slots.put(offset, row)
    if (!isNew) return
    page.size++
    this.#size++
  }

  /** Removes a row that is there. */
  delete(id: number): void {
    const index = this.#indexOf(numberOf(id))
    const page = this.#own(index)
    if (page === undefined) return
    page.slots.clear(page.offsetOf(id))
    this.#size--
    if (--page.size === 0) this.#pages.splice(index, 1)
  }

  /** At most `limit` rows of the interval that have the values of the range's prefix. */
  rows(
    { index: { on }, prefix }: Pick<Range, "index" | "prefix">,
    interval: Interval,
    descending: boolean,
    limit: number
  ): Array<Row> {
    const from = Math.max(interval.lower?.id ?? 0, this.#firstId)
    const to = interval.upper?.id ?? Number.POSITIVE_INFINITY
    const rows: Array<Row> = []
    const take = ({ slots }: Page, offset: number): void => {
      for (let at = 0; at < on.length; at++) if (!slots.holds(offset, on[at] ?? "", prefix[at])) return
      const row = slots.get(offset)
      if (row !== undefined) rows.push(row)
    }
    if (descending) {
      for (let index = this.#lastBefore(to); index >= 0 && rows.length < limit; index--) {
        const page = this.#pages[index]
        if (page === undefined || (page.number + 1) * PAGE <= from) break
        const [first, end] = page.placesOf(from, to)
        for (let offset = end - 1; offset >= first && rows.length < limit; offset--) take(page, offset)
      }
    } else {
      for (let index = this.#indexOf(numberOf(from)); rows.length < limit; index++) {
        const page = this.#pages[index]
        if (page === undefined || page.number * PAGE >= to) break
        const [first, end] = page.placesOf(from, to)
        for (let offset = first; offset < end && rows.length < limit; offset++) take(page, offset)
      }
    }
    return rows
  }

  count(interval: Interval): number {
    if (interval.lower === null && interval.upper === null) return this.#size
    const from = Math.max(interval.lower?.id ?? 0, this.#firstId)
    const to = interval.upper?.id ?? Number.POSITIVE_INFINITY
    let count = 0
    for (let index = this.#indexOf(numberOf(from)); ; index++) {
      const page = this.#pages[index]
      if (page === undefined || page.number * PAGE >= to) return count
      count += page.count(from, to)
    }
  }

  /** Where the page with this number is, or would be put. */
  #indexOf(number: number): number {
    const pages = this.#pages
    // While no page has been dropped a page stands at its own number, and after a cut as far behind the first one.
    if (number < pages.length && pages[number]?.number === number) return number
    const guess = number - (pages[0]?.number ?? 0)
    if (guess >= 0 && guess < pages.length && pages[guess]?.number === number) return guess
    let low = 0
    let high = Math.min(pages.length, number + 1)
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((pages[middle]?.number ?? 0) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  #lastBefore(id: number): number {
    return id === Number.POSITIVE_INFINITY
      ? this.#pages.length - 1
      : Math.min(this.#indexOf(numberOf(id)), this.#pages.length - 1)
  }

  /** The page with this number, to be changed; a new one where there is none. */
  #pageOf(number: number): Page {
    const index = this.#indexOf(number)
    const page = this.#own(index)
    if (page?.number === number) return page
    const added = Page.empty(this.#owner, this.#layout, number)
    this.#pages.splice(index, 0, added)
    return added
  }

  #own(index: number): Page | undefined {
    const page = this.#pages[index]
    const owned = page?.ownedBy(this.#owner)
    if (owned !== undefined && owned !== page) this.#pages[index] = owned
    return owned
  }
}
