/**
 * Things to compare take turns, round by round, so that whatever else the machine does falls on all
 * of them.
 */

export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0

/** Does something `calls` times; the number of earlier calls selects what. */
export type Work = { readonly calls: number; readonly run: (call: number) => unknown }

/**
 * Microseconds of one call, for each work and round that counts; others go before. Calls that
 * answer later are waited for together.
 */
export const interleave = async (
  rounds: number,
  works: Readonly<Record<string, Work>>,
  uncounted = 1
): Promise<(name: string) => ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  const entries = Object.entries(works)
  for (let round = -uncounted; round < rounds; round++) {
    // The first in one round is the last in the next.
    for (const [name, { calls, run }] of round % 2 === 0 ? entries : entries.toReversed()) {
      const pending: Array<unknown> = []
      const startMs = performance.now()
      for (let call = 0; call < calls; call++) {
        const answer = run((round + uncounted) * calls + call)
        if (answer instanceof Promise) pending.push(answer)
      }
      if (pending.length > 0) await Promise.all(pending)
      const each = ((performance.now() - startMs) * 1_000) / calls
      if (round >= 0) found.set(name, [...(found.get(name) ?? []), each])
    }
  }
  return (name) => found.get(name) ?? []
}

/** The median over the rounds of how many times as long the one took as the other. */
export const ratio = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number =>
  median(left.map((each, round) => each / (right[round] ?? each)))

/** A line of the report. */
export const line = (what: string, figure: string, target = ""): void =>
  console.log(`${what.padEnd(58)} ${figure.padStart(22)}   ${target}`)

export const micros = (values: ReadonlyArray<number>): string => `${median(values).toFixed(2)} µs`
export const times = (value: number): string => `${value.toFixed(2)} x`
