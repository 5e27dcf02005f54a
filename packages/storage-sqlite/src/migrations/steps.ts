/** The steps from each schema to the next, which upgrade files of earlier versions. */
import { fewerIndexes } from "./0002_fewer_indexes.js"
import { idsByRows } from "./0003_ids_by_rows.js"
import { totalsFollow } from "./0004_totals_follow.js"
import { aboutAndWindows } from "./0005_about_and_windows.js"

export type Step = {
  readonly sql: string
  /** A table or index that only files of this schema and later ones have. */
  readonly marker: string
}

/** A table of schema 1. */
export const FIRST_MARKER = "pets"

/**
 * The first step leads from schema 1 to schema 2, and so on. Once released, their texts never
 * change. New files do not run them: their tables derive from the collections.
 */
export const STEPS: ReadonlyArray<Step> = [
  { sql: fewerIndexes, marker: "orders_complete_without_ship_date_ms" },
  { sql: idsByRows, marker: "last_ids" },
  { sql: totalsFollow, marker: "kept_totals" },
  { sql: aboutAndWindows, marker: "about" }
]
