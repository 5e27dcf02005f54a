/** The works that a mounted store is measured by. */
import type { ComparedWork } from "../against/works.js"
import { titleOf, WORKS } from "../http/works.js"

/** The slice of each work, by its title. */
const SLICES: Readonly<Record<string, number>> = {
  "GET /pets/{petId}, memory": 2_000,
  "POST /pets, memory": 1_500,
  "GET /pets?status=available&limit=50, memory": 750
}

const WARM_UP = 12_000

/** A quick run has so many times fewer requests. */
const QUICK_DIVISOR = 4

export const mountedWorks = (quick: boolean): ReadonlyArray<ComparedWork> =>
  Object.entries(SLICES).map(([title, slice]) => {
    const work = WORKS.find((each) => titleOf(each) === title)
    if (work === undefined) throw new Error(`there is no work called ${title}`)
    const divisor = quick ? QUICK_DIVISOR : 1
    return { work, effort: { warmUp: WARM_UP / divisor, slice: slice / divisor } }
  })
