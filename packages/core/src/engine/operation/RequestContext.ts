/**
 * Who asks for an operation, and when. Programs do not read a clock: they get the time from here.
 */
export type RequestContext = {
  readonly nowMs: number
  /** The account of the caller, where there is one. */
  readonly accountId?: number
  /** The id of the request, where the call came as one. */
  readonly requestId?: string
}
