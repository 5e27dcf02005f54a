/** One column of a page whose rows are taken apart. */
import type { Image, Value } from "@petstore/core"
import { PAGE } from "./Slots.js"

export interface Cells {
  get(offset: number): Value | Image
  set(offset: number, value: Value | Image): void
  copy(): Cells
}

/** A store with few rows has room for so many; then for twice as many, up to a page. */
const FEWEST = 16

/** Integers, and `NaN` for null. The garbage collector has nothing to do with them. */
export class Numbers implements Cells {
  #numbers: Float64Array

  constructor(numbers = new Float64Array(FEWEST)) {
    this.#numbers = numbers
  }

  get(offset: number): number | null {
    const number = this.#numbers[offset] ?? Number.NaN
    return Number.isNaN(number) ? null : number
  }

  set(offset: number, value: Value | Image): void {
    if (offset >= this.#numbers.length) {
      const longer = new Float64Array(Math.min(PAGE, Math.max(2 * this.#numbers.length, offset + 1)))
      longer.set(this.#numbers)
      this.#numbers = longer
    }
    this.#numbers[offset] = typeof value === "number" ? value : Number.NaN
  }

  copy(): Numbers {
    return new Numbers(this.#numbers.slice())
  }
}

/** Whatever is no number. Behind the last one of them all is null, so a column of nulls is nothing. */
export class References implements Cells {
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

  copy(): References {
    return new References(this.#values.slice())
  }
}
