/** What is known of a request once it is over: for logs, counters and spans. Nothing in it is secret, or the raw text of a request. */
import type { OperationId } from "../contract/OperationId.js"
import type { ErrorCode } from "../contract/ErrorStatus.js"

/** What became of one request, for logs and counters. It never holds a key. */
export type RequestReport = {
  /** When it came, by the store's clock, in milliseconds since 1970. */
  readonly timeMs: number
  /** Empty for what is outside the API, or no request at all. */
  readonly requestId: string
  /** Undefined where no operation has this path and method. */
  readonly operation: OperationId | undefined
  /** `OTHER` for what HTTP does not know. */
  readonly method: string
  /** The path as it was routed, with the parameter's name in braces; undefined where it leads nowhere. */
  readonly route: string | undefined
  /** Of the answer; undefined where the caller had vanished before there was one. */
  readonly status: number | undefined
  /** Of an answer that is an error. */
  readonly code: ErrorCode | undefined
  /** From the header fields to the answer, by a monotonic clock. */
  readonly durationMs: number
  /** How long a stream went on after its answer began; undefined for other answers. */
  readonly streamMs: number | undefined
  /** Who asked, once their key was recognised and their limits had room. */
  readonly accountId: number | undefined
  /** Length of the answer's body as it was sent; of a stream, of all that was. */
  readonly bytes: number
  /**
   * Whether the answer went out (a stream has, whoever ended it), or nobody was there any more. With a status, the operation was done all the same; without, it was
   * never begun, since the request was not there in full. "cut": it took longer to arrive than it may, or the server was closing.
   */
  readonly outcome: "answered" | "vanished" | "cut"
  /** Why it failed, of a 500, 503 or 507. */
  readonly cause: unknown
}

/** Told of every request when it is over. */
export type Reporter = (report: RequestReport) => void

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

export const methodName = (method: string): string => (METHODS.has(method) ? method : "OTHER")

/** A reporter that fails itself fails nobody else. */
export const safely =
  (report: Reporter): Reporter =>
  (request) => {
    try {
      report(request)
    } catch {
      // Nobody is left to tell.
    }
  }
