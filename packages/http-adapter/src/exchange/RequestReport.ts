/** The report of a request that is over, for logs, metrics and spans. */
import type { OperationId } from "../contract/OperationId.js"
import type { ErrorCode } from "../contract/ErrorStatus.js"

/** The report of one request. It has no secrets and no raw text of the request. */
export type RequestReport = {
  /** When the request came, by the store's clock, in milliseconds since 1970. */
  readonly timeMs: number
  /** Empty for a request to a built-in route. */
  readonly requestId: string
  /** Undefined where no operation has this path and method. */
  readonly operation: OperationId | undefined
  /** `OTHER` for a method that HTTP does not have. */
  readonly method: string
  /** The path template, such as `/pets/{petId}`; undefined for a path without a route. */
  readonly route: string | undefined
  /** Undefined where the request was not answered. */
  readonly status: number | undefined
  /** The code of an error. */
  readonly code: ErrorCode | undefined
  /** From the header fields to the answer, by a monotonic clock. */
  readonly durationMs: number
  /** How long a stream went on after its answer began; undefined for other answers. */
  readonly streamMs: number | undefined
  /** The account of a caller that was admitted. */
  readonly accountId: number | undefined
  /** The bytes of the body that were sent; of a stream, all its bytes. */
  readonly bytes: number
  /**
   * `vanished` if the caller disconnected, `cut` if the request took too long to arrive or the
   * server was closing, else `answered`, also for a stream that ended. With a status the operation
   * was completed; without one it was not begun, since the request had not arrived in full.
   */
  readonly outcome: "answered" | "vanished" | "cut"
  /** The cause of a 500, 503 or 507. */
  readonly cause: unknown
}

/** Called after every request. */
export type Reporter = (report: RequestReport) => void

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

export const methodName = (method: string): string => (METHODS.has(method) ? method : "OTHER")

/** Ignores errors of a reporter. */
export const safely =
  (report: Reporter): Reporter =>
  (request) => {
    try {
      report(request)
    } catch {
      // There is no caller left to report it to.
    }
  }
