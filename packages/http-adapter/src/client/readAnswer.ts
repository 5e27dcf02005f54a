/** Reads the record, the page or the error in an answer of the service. */
import type { Page } from "@petstore/core"
import type { ShopEvent } from "../contract/ShopEvent.js"
import { numberIn, rateOf, retryAfterOf } from "./DetailedAnswer.js"
import { isErrorCode, isRedirect, PetStoreError, UnexpectedAnswer } from "./PetStoreError.js"
import { isEvent } from "./shapes.js"
import type { ClientAnswer } from "./Transport.js"

/** The page in the answer of a list. Throws `UnexpectedAnswer` for another body. */
export const pageOf = (answer: ClientAnswer, isItem: (item: unknown) => boolean): Page<unknown> => {
  const items = parse(answer.text)
  if (!Array.isArray(items) || !items.every(isItem)) throw new UnexpectedAnswer(answer.status)
  const next = nextOf(answer)
  const total = numberIn(answer.header("x-total-count"))
  return {
    items,
    ...(next === undefined ? {} : { next }),
    ...(total === undefined ? {} : { total })
  }
}

/**
 * The record in the answer of any other method; undefined for 204. Throws `UnexpectedAnswer` for
 * another body.
 */
export const recordOf = (answer: ClientAnswer, isRecord: (body: unknown) => boolean): unknown => {
  if (answer.status === 204) return undefined
  const body = parse(answer.text)
  if (!isRecord(body)) throw new UnexpectedAnswer(answer.status)
  return body
}

/** The error in an answer that is no success. */
export const failureOf = (
  answer: ClientAnswer,
  nowMs: number
): PetStoreError | UnexpectedAnswer => {
  const { status, text, header } = answer
  const retryAfterSeconds = retryAfterOf(answer, nowMs)
  const body = status >= 400 ? parse(text) : undefined
  if (typeof body !== "object" || body === null || !("code" in body) || !isErrorCode(body.code)) {
    const location = isRedirect(status) ? (header("location") ?? undefined) : undefined
    return new UnexpectedAnswer(status, { location, retryAfterSeconds })
  }
  return new PetStoreError(body.code, "message" in body ? String(body.message) : "", {
    status,
    retryAfterSeconds,
    requestId: header("x-request-id") ?? undefined,
    rate: rateOf(answer)
  })
}

/** Parses the data of an event. Throws `UnexpectedAnswer` for other data. */
export const eventOf = (data: string): ShopEvent => {
  const event = parse(data)
  if (!isEvent(event)) throw new UnexpectedAnswer(200)
  return event
}

/** The cursor in the link to the next page. */
const nextOf = ({ header }: ClientAnswer): string | undefined => {
  const query = /<[^>?]*\?([^>]*)>; rel="next"/.exec(header("link") ?? "")?.[1]
  return new URLSearchParams(query).get("cursor") ?? undefined
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
