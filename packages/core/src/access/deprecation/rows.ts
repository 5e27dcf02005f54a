/** The stored counts of calls of deprecated operations. */
import { accounts } from "../account/rows.js"
import type { Collection } from "../../engine/program/Collection.js"
import { instant, integer, reference, text } from "../../engine/program/columns.js"

/** How often an account called a deprecated operation on one UTC day. */
export type DeprecatedCallsRow = {
  readonly id: number
  readonly revision: number
  readonly accountId: number
  readonly operation: string
  readonly dayMs: number
  readonly calls: number
}

/** Counts of calls of deprecated operations, by account, operation and day. */
export const deprecatedCalls: Collection<DeprecatedCallsRow> = {
  name: "deprecatedCalls",
  key: "assigned",
  columns: { accountId: reference(accounts), operation: text, dayMs: instant, calls: integer },
  indexes: [
    { name: "account", on: ["accountId"], sort: "id" },
    { name: "account_operation_day", on: ["accountId", "operation", "dayMs"], sort: "id" }
  ]
}
