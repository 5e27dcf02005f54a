/** By how much the numbers of rows with two values differ from what is stored. */
export class CountDelta {
  /** By the first value, then by the second, which is a code and small. */
  readonly #rows = new Map<number, Array<number>>()

  of(first: number, second: number): number {
    return this.#rows.get(first)?.[second] ?? 0
  }

  add(first: number, second: number, rows: number): void {
    const counts = this.#rows.get(first) ?? []
    // Without holes, which would make the array slow.
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
