/** Something that is wrong in a store. */
export type Finding = {
  /** What was looked at, such as "units on order". */
  readonly check: string
  /** What was found and what should be there, for people. */
  readonly detail: string
}

/** One thing to look at: what is wrong, one text for each case. */
export type Check = {
  readonly name: string
  /** SQL that selects one text column; no rows mean that nothing is wrong. */
  readonly sql: string
}
