/**
 * Cursors: where the next page starts. A cursor has the sort value and the id of the last row of a
 * page, so it stays valid when that row is deleted, and a hash of the query, so another query
 * refuses it. Opaque to callers.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type { Position } from "../program/Program.js"
import { echo } from "../../value/echo.js"
import { InvalidParameter } from "../../value/errors.js"

/** FNV-1a, 32 bits. Distinguishes queries; not for security. */
const hash = (text: string): number => {
  let sum = 0x811c9dc5
  for (let unit = 0; unit < text.length; unit++)
    sum = Math.imul(sum ^ text.charCodeAt(unit), 0x01000193)
  return sum >>> 0
}

export const cursorOf = (query: string, position: Position): string =>
  Encoding.encodeBase64Url(JSON.stringify([hash(query), position.id, position.value]))

const refused = (got: string, expected: string) =>
  Either.left(new InvalidParameter({ parameter: "cursor", expected, got: echo(got) }))

/**
 * The position of a cursor of this query. Fails for a cursor that was altered, cut off, or made for
 * another query.
 */
export const positionOf = (
  query: string,
  cursor: string
): Either.Either<Position, InvalidParameter> => {
  const text = Either.getOrElse(Encoding.decodeBase64UrlString(cursor), () => "")
  const parts = /^\[(\d{1,10}),(\d{1,16}),(.*)\]$/su.exec(text)
  if (parts === null || Encoding.encodeBase64Url(text) !== cursor) {
    return refused(cursor, "a cursor from the Link header of an earlier page")
  }
  const [, made, id, json = ""] = parts
  if (Number(made) !== hash(query)) return refused(cursor, "a cursor of the same filters and sort")
  const value = parse(json)
  return value === undefined || !Number.isSafeInteger(Number(id))
    ? refused(cursor, "a cursor from the Link header of an earlier page")
    : Either.right({ id: Number(id), value })
}

const parse = (json: string): string | number | null | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    if (value === null || typeof value === "string") return value
    return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined
  } catch {
    return undefined
  }
}
