/** Spans and instants as test authors write them. */
import { parseInstant } from "@petstore/core"
import * as Duration from "effect/Duration"

type Unit = "milli" | "second" | "minute" | "hour" | "day" | "week"

/** A duration: milliseconds, or a string such as `"1 day"` or `"90 seconds"`. */
export type Span = number | `${number} ${Unit}` | `${number} ${Unit}s`

/**
 * A point in time: milliseconds since 1970, RFC 3339 (`2027-12-01T00:00:00Z`), or an HTTP date
 * (`Wed, 01 Dec 2027 00:00:00 GMT`), so that the value of a `Sunset` field can be passed on.
 */
export type Instant = number | string

/** Throws a RangeError if the span is negative or not a span. */
export const millisecondsOf = (span: Span): number => {
  const decoded = Duration.decodeUnknown(span)
  const ms = decoded._tag === "Some" ? Duration.toMillis(decoded.value) : Number.NaN
  if (!(Number.isFinite(ms) && (typeof span !== "number" || span >= 0))) {
    throw new RangeError(
      `expected milliseconds or a text such as "1 day", got ${JSON.stringify(span)}`
    )
  }
  return ms
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Throws a RangeError if it is not an instant. */
export const instantMsOf = (instant: Instant): number => {
  const ms =
    typeof instant === "number"
      ? instant
      : HTTP_DATE.test(instant)
        ? Date.parse(instant)
        : (parseInstant(instant) ?? Number.NaN)
  if (!Number.isFinite(ms)) {
    throw new RangeError(
      "expected milliseconds since 1970, an RFC 3339 or an HTTP date, got " +
        JSON.stringify(instant)
    )
  }
  return ms
}
