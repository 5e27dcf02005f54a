/**
 * The steps from each schema of a file to the next, which bring files of earlier versions up to
 * date.
 */
import { fewerLists } from "./0002_fewer_lists.js"
import { idsByRows } from "./0003_ids_by_rows.js"
import { totalsFollow } from "./0004_totals_follow.js"
import { aboutAndWindows } from "./0005_about_and_windows.js"

export type Step = {
  readonly sql: string
  /** A table or index that only files from this schema on have. */
  readonly sign: string
}

/** What files of schema 1 have. */
export const FIRST_SIGN = "pets"

/**
 * The first step leads from schema 1 to schema 2, and so on. Once released, their texts never
 * change. New files do not run them: their tables derive from the collections.
 */
export const STEPS: ReadonlyArray<Step> = [
  { sql: fewerLists, sign: "orders_complete_without_ship_date_ms" },
  { sql: idsByRows, sign: "last_ids" },
  { sql: totalsFollow, sign: "kept_totals" },
  { sql: aboutAndWindows, sign: "about" }
]
