/** A fault in a store. */
export type Finding = {
  /** The name of the check, such as "units on order". */
  readonly check: string
  /** The actual and the expected state, for people. */
  readonly detail: string
}

/** A check of a store as a query for faults. */
export type Check = {
  readonly name: string
  /** SQL that selects one text for each fault; no rows mean no fault. */
  readonly sql: string
}
