/**
 * Cursors: where the next page starts. A cursor carries the sort value and id of the last row seen,
 * so it survives that row's deletion, and a hash of the query, so it is refused under another one.
 * Callers treat it as opaque.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type { Position } from "../program/Program.js"
import { echo } from "../../value/echo.js"
import { InvalidParameter } from "../../value/errors.js"

/** FNV-1a, 32 bits: tells queries apart; it is no secret. */
const hash = (text: string): number => {
  let sum = 0x811c9dc5
  for (let unit = 0; unit < text.length; unit++) sum = Math.imul(sum ^ text.charCodeAt(unit), 0x01000193)
  return sum >>> 0
}

export const cursorOf = (query: string, position: Position): string =>
  Encoding.encodeBase64Url(JSON.stringify([hash(query), position.id, position.value]))

const refused = (got: string, expected: string) =>
  Either.left(new InvalidParameter({ parameter: "cursor", expected, got: echo(got) }))

/**
 * The position in a cursor made for this query. One that was altered, cut or made for another query
 * is refused.
 */
export const positionOf = (query: string, cursor: string): Either.Either<Position, InvalidParameter> => {
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
