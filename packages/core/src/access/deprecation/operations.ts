/**
 * The callers of deprecated operations. Served stores count them; see
 * `deprecation/DeprecatedCalls.ts`.
 */
import { refersTo } from "../../engine/list/Filter.js"
import type { Listing, Paging } from "../../engine/list/ListQuery.js"
import { type DeprecatedCallsRow, deprecatedCalls } from "./rows.js"
import { readList } from "../../engine/operation/readList.js"

/** The filters of a list of counts. */
export type DeprecatedCallsQuery = Paging<"id"> & {
  /** Only calls of this account. */
  readonly accountId?: number
}

/** How often an account called an operation on one UTC day. */
export type DeprecatedCallCount = {
  readonly accountId: number
  readonly operation: string
  /** Such as `2026-12-01`. */
  readonly day: string
  readonly calls: number
}

const listing: Listing<DeprecatedCallsRow> = {
  collection: deprecatedCalls,
  filters: { accountId: refersTo("accountId") },
  sorts: { id: "id" }
}

const presentCount = ({
  accountId,
  operation,
  dayMs,
  calls
}: DeprecatedCallsRow): DeprecatedCallCount => ({
  accountId,
  operation,
  day: new Date(dayMs).toISOString().slice(0, 10),
  calls
})

export const deprecatedCallOperations = {
  /**
   * A page of counts, oldest first; up to ten seconds behind. Refused: `InvalidParameter`.
   *
   * @example
   * const { items } = await store.deprecatedCalls.list({ accountId: 1 })
   */
  list: readList<DeprecatedCallsQuery, DeprecatedCallsRow, DeprecatedCallCount>(
    listing,
    presentCount
  )
}
