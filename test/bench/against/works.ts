/** The works that two versions are compared by. */
import { FIND_PET, titleOf, type Work, WORKS } from "../http/works.js"

/** Numbers of requests, not seconds, so that both versions end up with equally many records. */
export type Effort = {
  /**
   * Requests that are not measured, until V8 has compiled the code and the log has its full length.
   */
  readonly warmUp: number
  /** Requests that one version answers before it is the other's turn. */
  readonly slice: number
}

export type ComparedWork = { readonly work: Work; readonly effort: Effort }

const COMMITS_OF_WARM_UP = 1_000

/** A commit never has more requests than there are connections. */
const warmUpOf = ({ storage, expected, connections }: Work): number => {
  if (expected === 200) return 20_000
  return storage === "file" ? Math.max(COMMITS_OF_WARM_UP * connections, 3_000) : 40_000
}

/** The slice of each work, by its title. The most important works come first. */
const SLICES: Readonly<Record<string, number>> = {
  "POST /store/orders, file, 64 connections": 5_000,
  "GET /pets/{petId}, file": 4_000,
  "POST /store/orders, file, 1 connection": 400,
  "GET /pets?id={petId}, file": 4_000,
  "GET /pets?status=available&limit=50, file": 1_000,
  "POST /pets, file": 2_500,
  "GET /pets/{petId}, memory": 4_000,
  "POST /pets, memory": 3_000
}

/** A quick run has so many times fewer requests. */
const QUICK_DIVISOR = 5

export const comparedWorks = (quick: boolean): ReadonlyArray<ComparedWork> =>
  Object.entries(SLICES).map(([title, slice]) => {
    const work = [...WORKS, FIND_PET].find((each) => titleOf(each) === title)
    if (work === undefined) throw new Error(`there is no work called ${title}`)
    const divisor = quick ? QUICK_DIVISOR : 1
    return { work, effort: { warmUp: warmUpOf(work) / divisor, slice: slice / divisor } }
  })
