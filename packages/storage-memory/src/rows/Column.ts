/** The values of one column in a chunk with a {@link ColumnLayout}. */
import type { Image, Value } from "@petstore/core/storage"
import { CHUNK_SIZE } from "./ChunkLayout.js"

export interface Column {
  get(offset: number): Value | Image
  set(offset: number, value: Value | Image): void
  copy(): Column
}

/** A column starts small, as most stores have few rows, and doubles up to a chunk. */
const INITIAL_CAPACITY = 16

/** Integers, with `NaN` for null. A typed array costs the garbage collector nothing. */
export class NumberColumn implements Column {
  #numbers: Float64Array

  constructor(numbers = new Float64Array(INITIAL_CAPACITY)) {
    this.#numbers = numbers
  }

  get(offset: number): number | null {
    const number = this.#numbers[offset] ?? Number.NaN
    return Number.isNaN(number) ? null : number
  }

  set(offset: number, value: Value | Image): void {
    if (offset >= this.#numbers.length) {
      const grown = new Float64Array(
        Math.min(CHUNK_SIZE, Math.max(2 * this.#numbers.length, offset + 1))
      )
      grown.set(this.#numbers)
      this.#numbers = grown
    }
    this.#numbers[offset] = typeof value === "number" ? value : Number.NaN
  }

  copy(): NumberColumn {
    return new NumberColumn(this.#numbers.slice())
  }
}

/** Values that are not numbers. Trailing nulls are not stored, so a column of nulls is empty. */
export class ReferenceColumn implements Column {
  readonly #values: Array<Value | Image>

  constructor(values: Array<Value | Image> = []) {
    this.#values = values
  }

  get(offset: number): Value | Image {
    return this.#values[offset] ?? null
  }

  set(offset: number, value: Value | Image): void {
    if (value === null && offset >= this.#values.length) return
    while (this.#values.length < offset) this.#values.push(null)
    this.#values[offset] = value
  }

  copy(): ReferenceColumn {
    return new ReferenceColumn(this.#values.slice())
  }
}
