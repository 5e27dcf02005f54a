/** The rows of 1,024 ids in a row, as many of them as there are. */
import { ColumnSlots } from "./ColumnSlots.js"
import type { Layout } from "../Layout.js"
import type { Owner } from "../Owner.js"
import { RowSlots } from "./RowSlots.js"
import { PAGE, type Slots } from "./Slots.js"

/** The number of the page that an id belongs to. */
export const numberOf = (id: number): number => Math.floor(id / PAGE)

export class Page {
  readonly owner: Owner
  readonly number: number
  readonly slots: Slots
  /** How many rows there are. */
  size: number

  private constructor(owner: Owner, number: number, slots: Slots, size: number) {
    this.owner = owner
    this.number = number
    this.slots = slots
    this.size = size
  }

  static empty(owner: Owner, layout: Layout, number: number): Page {
    const firstId = number * PAGE
    const slots = layout.isSeldomRead ? ColumnSlots.empty(layout, firstId) : new RowSlots(layout, firstId)
    return new Page(owner, number, slots, 0)
  }

  /** This page if `owner` may change it, else a copy that it may. */
  ownedBy(owner: Owner): Page {
    return this.owner === owner ? this : new Page(owner, this.number, this.slots.copy(), this.size)
  }

  offsetOf(id: number): number {
    return id - this.number * PAGE
  }

  /** The places for ids from one to before another. */
  placesOf(from: number, to: number): readonly [first: number, end: number] {
    return [Math.max(0, this.offsetOf(from)), Math.min(this.slots.length, this.offsetOf(to))]
  }

  count(from: number, to: number): number {
    if (from <= this.number * PAGE && (this.number + 1) * PAGE <= to) return this.size
    let count = 0
    const [first, end] = this.placesOf(from, to)
    for (let offset = first; offset < end; offset++) if (this.slots.has(offset)) count++
    return count
  }
}
