/** What a call can fail with: the service's refusals by their codes, and calls that got no answer of the service. */
import { ERROR_STATUS, type ErrorCode } from "../contract/ErrorStatus.js"
import type { RateLimit } from "./DetailedAnswer.js"

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
 * The answer is not one of the operation's: another status, another body, or a proxy's own page. A
 * redirect is one too. It is not followed, since the key would be sent along.
 */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer"
  /** 0 for a redirect in a browser, which hides it from pages. */
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

/** Whether a status is that of a redirect. Browsers show pages a status of 0 for one. */
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
