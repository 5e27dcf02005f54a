/** What an answer of the service says: a record, a page of a list, or why there is none. */
import type { Page } from "@petstore/core"
import type { ShopEvent } from "../contract/ShopEvent.js"
import { numberIn, rateOf, retryAfterOf } from "./DetailedAnswer.js"
import { isErrorCode, isRedirect, PetStoreError, UnexpectedAnswer } from "./PetStoreError.js"
import { isEvent } from "./shapes.js"
import type { ClientAnswer } from "./Transport.js"

/** The page in the answer of a list. Throws `UnexpectedAnswer` where there is none. */
export const pageOf = (answer: ClientAnswer, isItem: (item: unknown) => boolean): Page<unknown> => {
  const items = parsed(answer.text)
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
 * The record in the answer of any other verb; undefined for 204. Throws `UnexpectedAnswer` where the
 * body is no such record.
 */
export const recordOf = (answer: ClientAnswer, isRecord: (body: unknown) => boolean): unknown => {
  if (answer.status === 204) return undefined
  const body = parsed(answer.text)
  if (!isRecord(body)) throw new UnexpectedAnswer(answer.status)
  return body
}

/** Why an answer is no success. */
export const failureOf = (answer: ClientAnswer, nowMs: number): PetStoreError | UnexpectedAnswer => {
  const { status, text, header } = answer
  const retryAfterSeconds = retryAfterOf(answer, nowMs)
  const body = status >= 400 ? parsed(text) : undefined
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

/** The event in the data of one. Throws `UnexpectedAnswer` where there is none. */
export const eventOf = (data: string): ShopEvent => {
  const event = parsed(data)
  if (!isEvent(event)) throw new UnexpectedAnswer(200)
  return event
}

/** The cursor of the next page, from its link. */
const nextOf = ({ header }: ClientAnswer): string | undefined => {
  const query = /<[^>?]*\?([^>]*)>; rel="next"/.exec(header("link") ?? "")?.[1]
  return new URLSearchParams(query).get("cursor") ?? undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
