/** Whether the collection of a list has an index for each of its sorts, under any filters. */
import type { Collection, Row } from "../program/Collection.js"
import type { Filter } from "./Filter.js"
import { choose, EVERYTHING } from "./Selection.js"
import type { Sorts } from "./SortOrder.js"

/** Every choice of some of the items. */
const subsets = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.reduce<ReadonlyArray<ReadonlyArray<A>>>(
    (before, item) => before.flatMap((subset) => [subset, [...subset, item]]),
    [[]]
  )

/**
 * Throws for a list that no index answers, so that such a declaration fails with the store that
 * has it, rather than with the first caller who asks. A range filter allows the sort by its own
 * column only.
 */
export const checkIndexes = <R extends Row>(
  collection: Collection<R>,
  filters: Readonly<Record<string, Filter>>,
  sorts: Sorts
): void => {
  const narrowed = Object.values(filters).map(({ narrows }) => narrows)
  const columns = narrowed.flatMap((each) =>
    typeof each === "object" && "among" in each ? each.among : []
  )
  const ranged = narrowed.flatMap((each) =>
    typeof each === "object" && "between" in each ? each.between : []
  )
  for (const some of subsets(columns)) {
    const among = Object.fromEntries(some.map((column) => [column, [null]]))
    for (const sort of [...Object.values(sorts), ...ranged]) {
      if (choose(collection, { ...EVERYTHING, among }, sort) !== undefined) continue
      const filtered = some.length === 0 ? "" : ` on ${some.join(", ")}`
      throw new Error(`${collection.name} has no index${filtered} that is sorted by ${sort}`)
    }
  }
}
