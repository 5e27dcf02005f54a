/** Changes of counts that are not stored yet: how many more rows, or fewer, have two values. */
export class CountDelta {
  /** By the first value, then by the second, which is the small code of an enumeration. */
  readonly #rows = new Map<number, Array<number>>()

  of(first: number, second: number): number {
    return this.#rows.get(first)?.[second] ?? 0
  }

  add(first: number, second: number, rows: number): void {
    const counts = this.#rows.get(first) ?? []
    // V8 makes arrays with holes slower.
    while (counts.length <= second) counts.push(0)
    counts[second] = (counts[second] ?? 0) + rows
    this.#rows.set(first, counts)
  }

  total(): number {
    let total = 0
    this.each((_first, _second, rows) => (total += rows))
    return total
  }

  each(visit: (first: number, second: number, rows: number) => void): void {
    for (const [first, counts] of this.#rows)
      for (const [second, rows] of counts.entries()) if (rows !== 0) visit(first, second, rows)
  }

  clear(): void {
    if (this.#rows.size > 0) this.#rows.clear()
  }
}
