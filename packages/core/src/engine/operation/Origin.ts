/** Where and when an operation comes from. Programs read no clock; they are told. */
export type Origin = {
  readonly nowMs: number
  /** The account that asked, where there is one. */
  readonly accountId?: number
  /** The request that asked, where it came as one. */
  readonly requestId?: string
}
