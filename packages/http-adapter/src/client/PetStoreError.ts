/** The errors of a client: refusals by the service, and calls without an answer of the service. */
import { ERROR_STATUS, type ErrorCode } from "../contract/ErrorStatus.js"
import type { RateLimit } from "./DetailedAnswer.js"

/**
 * The service refused the call. Switch on `code`, or narrow to one code with
 * `isPetStoreError(error, "rate_limited")`.
 */
export class PetStoreError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "PetStoreError"
  readonly code: Code
  readonly status: number
  /** The seconds to wait before a retry, where the service says so. */
  readonly retryAfterSeconds: number | undefined
  /** Quote it when you report a failure. */
  readonly requestId: string | undefined
  readonly rate: RateLimit | undefined

  constructor(
    code: Code,
    message: string,
    answer: Pick<PetStoreError, "status" | "retryAfterSeconds" | "requestId" | "rate">
  ) {
    super(message)
    this.code = code
    this.status = answer.status
    this.retryAfterSeconds = answer.retryAfterSeconds
    this.requestId = answer.requestId
    this.rate = answer.rate
  }
}

/**
 * The answer is not one of the operation: another status, another body, or the page of a proxy. A
 * redirect is one too: it is not followed, since that would send the key along.
 */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer"
  /** 0 for a redirect in a browser, which hides it from pages. */
  readonly status: number
  /** The target of a redirect, as it was sent. */
  readonly location: string | undefined
  /** The seconds to wait before a retry, where the answer says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    answer: Partial<Pick<UnexpectedAnswer, "location" | "retryAfterSeconds">> = {}
  ) {
    const target = answer.location ?? "a place that is not told"
    super(
      isRedirect(status)
        ? `got a redirect (${status}) to ${target}, which is not followed; ` +
            "if that is the pet store, call it there"
        : `got an answer with status ${status} that is not the pet store's`
    )
    this.status = status
    this.location = answer.location
    this.retryAfterSeconds = answer.retryAfterSeconds
  }
}

/** Browsers report a redirect as status 0. */
export const isRedirect = (status: number): boolean =>
  status === 0 || (status >= 300 && status < 400)

/** No answer came. The call may or may not have taken effect. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer"
  constructor(cause: unknown) {
    super("no answer came; whether the call took effect is not known", { cause })
  }
}

/** Whether the service refused the call, with one of these codes if some are given. */
export const isPetStoreError = <Code extends ErrorCode = ErrorCode>(
  failure: unknown,
  ...codes: ReadonlyArray<Code>
): failure is PetStoreError<Code> =>
  failure instanceof PetStoreError &&
  (codes.length === 0 || codes.some((code) => code === failure.code))

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === "string" && Object.hasOwn(ERROR_STATUS, code)
