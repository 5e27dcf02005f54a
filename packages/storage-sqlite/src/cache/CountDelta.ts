/** How many rows more, or fewer, have two values than before: kept in memory until it is added to what is stored. */
export class CountDelta {
  /** By the first value, then by the second, which is a code and small. */
  readonly #rows = new Map<number, Array<number>>()

  of(first: number, second: number): number {
    return this.#rows.get(first)?.[second] ?? 0
  }

  add(first: number, second: number, rows: number): void {
    const known = this.#rows.get(first)
    if (known === undefined)
      this.#rows.set(
        first,
        Array.from({ length: second + 1 }, (_, at) => (at === second ? rows : 0))
      )
    else known[second] = (known[second] ?? 0) + rows
  }

  total(): number {
    let total = 0
    this.each((_first, _second, rows) => (total += rows))
    return total
  }

  each(tell: (first: number, second: number, rows: number) => void): void {
    for (const [first, counts] of this.#rows)
      for (const [second, rows = 0] of counts.entries()) if (rows !== 0) tell(first, second, rows)
  }

  clear(): void {
    if (this.#rows.size > 0) this.#rows.clear()
  }
}
