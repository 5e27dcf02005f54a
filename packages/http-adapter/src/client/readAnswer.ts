/** What an answer of the service says: a record, a page of a list, or why there is none. */
import type { Page } from "@petstore/core"
import { rateOf, retryAfterOf } from "./Answered.js"
import { isErrorCode, PetStoreError, UnexpectedAnswer } from "./PetStoreError.js"
import type { ClientAnswer } from "./Transport.js"

/** The page in the answer of a list. Throws `UnexpectedAnswer` where there is none. */
export const pageOf = (answer: ClientAnswer): Page<unknown> => {
  const items = parsed(answer.text)
  if (!Array.isArray(items)) throw new UnexpectedAnswer(answer.status)
  const next = nextOf(answer)
  const total = answer.header("x-total-count")
  return {
    items,
    ...(next === undefined ? {} : { next }),
    ...(total === null ? {} : { total: Number(total) })
  }
}

/** The record in the answer of any other verb; undefined where it has none to tell of. */
export const recordOf = (answer: ClientAnswer): unknown => {
  if (answer.status === 204) return undefined
  const body = parsed(answer.text)
  if (body === undefined) throw new UnexpectedAnswer(answer.status)
  return body
}

export const failureOf = (answer: ClientAnswer): PetStoreError | UnexpectedAnswer => {
  const { status, text, header } = answer
  const body = parsed(text)
  if (typeof body !== "object" || body === null || !("code" in body) || !isErrorCode(body.code))
    return new UnexpectedAnswer(status)
  return new PetStoreError(body.code, "message" in body ? String(body.message) : "", {
    status,
    retryAfterSeconds: retryAfterOf(answer),
    requestId: header("x-request-id") ?? undefined,
    rate: rateOf(answer)
  })
}

/** The cursor of the next page, from its link. */
const nextOf = ({ header }: ClientAnswer): string | undefined => {
  const query = /<[^>?]*\?([^>]*)>; rel="next"/.exec(header("link") ?? "")?.[1]
  const cursor = query?.split("&").find((pair) => pair.startsWith("cursor="))
  return cursor === undefined ? undefined : decodeURIComponent(cursor.slice("cursor=".length))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
