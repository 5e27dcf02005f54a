/** What a call can fail with: the service's refusals by their codes, and calls that got no answer of the service. */
import { ERROR_STATUS, type ErrorCode } from "../contract/ErrorStatus.js"
import type { RateLimit } from "./Answered.js"

/** The service has refused the call. Switch on `code`; `isPetStoreError(error, "rate_limited")` narrows to one. */
export class PetStoreError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "PetStoreError"
  readonly code: Code
  readonly status: number
  /** After how many seconds to try again, where the service has said so. */
  readonly retryAfterSeconds: number | undefined
  /** Quote it when you report a failure. */
  readonly requestId: string | undefined
  readonly rate: RateLimit | undefined

  constructor(
    code: Code,
    message: string,
    told: Pick<PetStoreError, "status" | "retryAfterSeconds" | "requestId" | "rate">
  ) {
    super(message)
    this.code = code
    this.status = told.status
    this.retryAfterSeconds = told.retryAfterSeconds
    this.requestId = told.requestId
    this.rate = told.rate
  }
}

/**
 * Something else than the service has answered, such as a proxy on the way to it; or the service, with what the operation
 * never answers. A redirect is one: it is not followed, since the key would go along.
 */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer"
  /** 0 for a redirect in a browser, which tells pages nothing of it. */
  readonly status: number
  /** Where a redirect leads, as it was written. */
  readonly location: string | undefined
  /** After how many seconds to try again, where the answer has said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, told: Partial<Pick<UnexpectedAnswer, "location" | "retryAfterSeconds">> = {}) {
    super(
      isRedirect(status)
        ? `got a redirect (${status}) to ${told.location ?? "a place that is not told"}, which is not followed; if that is the pet store, call it there`
        : `got an answer with status ${status} that is not the pet store's`
    )
    this.status = status
    this.location = told.location
    this.retryAfterSeconds = told.retryAfterSeconds
  }
}

/** Whether an answer says that another place is to be asked; in a browser that is a status of 0. */
export const isRedirect = (status: number): boolean => status === 0 || (status >= 300 && status < 400)

/** No answer came. Whether the call took effect is not known. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer"
  constructor(cause: unknown) {
    super("no answer came; whether the call took effect is not known", { cause })
  }
}

/** Whether a failure is a refusal, with one of these codes where some are given. */
export const isPetStoreError = <Code extends ErrorCode = ErrorCode>(
  failure: unknown,
  ...codes: ReadonlyArray<Code>
): failure is PetStoreError<Code> =>
  failure instanceof PetStoreError && (codes.length === 0 || codes.some((code) => code === failure.code))

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === "string" && Object.hasOwn(ERROR_STATUS, code)
