/**
 * Everything a store has, as its lists show it: for finding out whether anything is different
 * afterwards.
 */
import {
  BY_ID,
  COLLECTIONS,
  type Collection,
  count,
  type ReadProgram,
  type Row,
  scan,
  type Value,
  valueOf
} from "@petstore/core/storage"
import { EVERY_ROW, MANY, rangeOf } from "./programs.js"

/** Rows by the name of their collection. */
export type Contents = Readonly<Record<string, ReadonlyArray<Row>>>

export function* contents(): ReadProgram<Contents> {
  const found: Record<string, ReadonlyArray<Row>> = {}
  for (const collection of COLLECTIONS) {
    found[collection.name] = yield* scan<Row>(collection, EVERY_ROW, { limit: MANY })
  }
  return found
}

/**
 * Where lists and counts do not show exactly the rows of `stored`: looked for in every index, under
 * every prefix that a row of `stored` or of `past` has, since rows that must have left no trace
 * would leave it there.
 */
export function* disagreements(
  stored: Contents,
  past: Contents
): ReadProgram<ReadonlyArray<string>> {
  const found: Array<string> = []
  for (const collection of COLLECTIONS) {
    const rows = stored[collection.name] ?? []
    found.push(...(yield* disagreementsIn(collection, rows, past[collection.name] ?? [])))
  }
  return found
}

function* disagreementsIn(
  collection: Collection<Row>,
  stored: ReadonlyArray<Row>,
  past: ReadonlyArray<Row>
): ReadProgram<ReadonlyArray<string>> {
  const found: Array<string> = []
  for (const index of [BY_ID, ...collection.indexes]) {
    const prefixOf = (row: Row): ReadonlyArray<Value> =>
      index.on.map((column) => valueOf(row, column))
    const prefixes = new Map(
      [...stored, ...past].map((row) => [JSON.stringify(prefixOf(row)), prefixOf(row)])
    )
    for (const [text, prefix] of prefixes) {
      const expected = stored
        .filter((row) => JSON.stringify(prefixOf(row)) === text)
        .map(({ id }) => id)
      const rows = yield* scan(collection, rangeOf(index, prefix), { limit: MANY })
      const total = yield* count(collection, rangeOf(index, prefix))
      const shown = rows
        .map(({ id }) => id)
        .toSorted((left, right) => left - right)
        .join()
      if (shown !== expected.join() || total !== expected.length) {
        found.push(
          `${collection.name}.${index.name} under ${text} lists ${shown} and counts ` +
            `${total}, not ${expected.join()}`
        )
      }
    }
  }
  return found
}
