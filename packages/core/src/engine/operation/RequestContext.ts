/**
 * The caller of an operation, and the time. Programs do not read a clock: they get the time from
 * here.
 */
export type RequestContext = {
  readonly nowMs: number
  /** The account of the caller, if there is one. */
  readonly accountId?: number
  /** The id of the request, if the call came as one. */
  readonly requestId?: string
}
