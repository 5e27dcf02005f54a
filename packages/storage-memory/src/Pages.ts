/** The rows of a collection by id, in pages: ids are dense, so a page is found by its number and a row by its place in it. */
import type { Row } from "@petstore/core"
import type { Interval } from "./Interval.js"
import type { Owner } from "./Owner.js"

const PAGE = 1024
const numberOf = (id: number): number => Math.floor(id / PAGE)

const every = (): boolean => true

class Page {
  readonly owner: Owner
  /** Holds the rows from id `number * PAGE` on. */
  readonly number: number
  readonly rows: Array<Row | undefined>
  size: number

  constructor(owner: Owner, number: number, rows: Array<Row | undefined>, size: number) {
    this.owner = owner
    this.number = number
    this.rows = rows
    this.size = size
  }
}

export class Pages {
  readonly #owner: Owner
  /** In order of their numbers; a page without rows is not kept. */
  readonly #pages: Array<Page>
  #size: number

  constructor(owner: Owner, pages: Array<Page> = [], size = 0) {
    this.#owner = owner
    this.#pages = pages
    this.#size = size
  }

  ownedBy(owner: Owner): Pages {
    return this.#owner === owner ? this : new Pages(owner, this.#pages.slice(), this.#size)
  }

  get size(): number {
    return this.#size
  }

  get(id: number): Row | undefined {
    const number = numberOf(id)
    const page = this.#pages[this.#indexOf(number)]
    return page?.number === number ? page.rows[id - number * PAGE] : undefined
  }

  set(id: number, row: Row): void {
    const number = numberOf(id)
    const index = this.#indexOf(number)
    if (this.#pages[index]?.number !== number)
      this.#pages.splice(index, 0, new Page(this.#owner, number, [], 0))
    const page = this.#own(index)
    if (page === undefined) return
    const offset = id - number * PAGE
    while (page.rows.length < offset) page.rows.push(undefined)
    if (page.rows[offset] === undefined) {
      page.size++
      this.#size++
    }
    page.rows[offset] = row
  }

  /** Removes a row that is there. */
  delete(id: number): void {
    const index = this.#indexOf(numberOf(id))
    const page = this.#own(index)
    if (page === undefined) return
    page.rows[id - page.number * PAGE] = undefined
    this.#size--
    if (--page.size === 0) this.#pages.splice(index, 1)
  }

  /** At most `limit` rows of the interval that are wanted. */
  rows(
    interval: Interval,
    descending: boolean,
    limit: number,
    isWanted: (row: Row) => boolean = every
  ): Array<Row> {
    const from = interval.lower?.id ?? 0
    const to = interval.upper?.id ?? Number.POSITIVE_INFINITY
    const rows: Array<Row> = []
    if (descending) {
      for (let index = this.#lastBefore(to); index >= 0 && rows.length < limit; index--) {
        const page = this.#pages[index]
        if (page === undefined || (page.number + 1) * PAGE <= from) break
        for (let offset = page.rows.length - 1; offset >= 0 && rows.length < limit; offset--) {
          const row = page.rows[offset]
          if (row !== undefined && row.id >= from && row.id < to && isWanted(row)) rows.push(row)
        }
      }
    } else {
      for (let index = this.#indexOf(numberOf(from)); rows.length < limit; index++) {
        const page = this.#pages[index]
        if (page === undefined || page.number * PAGE >= to) break
        for (let offset = 0; offset < page.rows.length && rows.length < limit; offset++) {
          const row = page.rows[offset]
          if (row !== undefined && row.id >= from && row.id < to && isWanted(row)) rows.push(row)
        }
      }
    }
    return rows
  }

  count(interval: Interval): number {
    if (interval.lower === null && interval.upper === null) return this.#size
    const from = interval.lower?.id ?? 0
    const to = interval.upper?.id ?? Number.POSITIVE_INFINITY
    let count = 0
    for (let index = this.#indexOf(numberOf(from)); ; index++) {
      const page = this.#pages[index]
      if (page === undefined || page.number * PAGE >= to) return count
      const inside = from <= page.number * PAGE && (page.number + 1) * PAGE <= to
      count += inside ? page.size : countWithin(page.rows, from, to)
    }
  }

  /** Where the page with this number is, or would be put. */
  #indexOf(number: number): number {
    const pages = this.#pages
    // While no page before it has been dropped, a page stands at its own number.
    if (number < pages.length && pages[number]?.number === number) return number
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

  #own(index: number): Page | undefined {
    const page = this.#pages[index]
    if (page === undefined || page.owner === this.#owner) return page
    const owned = new Page(this.#owner, page.number, page.rows.slice(), page.size)
    this.#pages[index] = owned
    return owned
  }
}

const countWithin = (rows: ReadonlyArray<Row | undefined>, from: number, to: number): number => {
  let count = 0
  for (const row of rows) if (row !== undefined && row.id >= from && row.id < to) count++
  return count
}
