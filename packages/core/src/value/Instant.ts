/**
 * Instants: RFC 3339 date-times with an offset, exact by the calendar, stored in milliseconds and
 * returned in UTC.
 */
import type { DateTimeField } from "./Field.js"

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/** 0000-01-01T00:00:00Z: the first instant whose UTC form RFC 3339 can write. */
const FIRST_MS = -62_167_219_200_000

/**
 * 0001-01-01T00:00:00Z. Python, .NET and Go's JSON have no year 0, so it is refused; earlier
 * versions accepted it.
 */
export const EARLIEST_INSTANT_MS = -62_135_596_800_000

/** 9999-12-31T23:59:59.999Z: the last instant whose UTC form RFC 3339 can write. */
export const LATEST_INSTANT_MS = 253_402_300_799_999

/**
 * Milliseconds of the civil time, or undefined if the calendar or the clock has no such time (RFC
 * 3339 §5.7).
 */
const civilMs = (text: string): number | undefined => {
  const parts = RFC_3339.exec(text)
  if (parts === null) return undefined
  const [
    ,
    year = "",
    month = "",
    day = "",
    hour = "",
    minute = "",
    second = "",
    fraction = "",
    sign,
    offsetHour = "0",
    offsetMinute = "0"
  ] = parts
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined
  const civil = new Date(0)
  civil.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (civil.getUTCMonth() !== Number(month) - 1 || civil.getUTCDate() !== Number(day))
    return undefined
  civil.setUTCHours(
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.slice(0, 3).padEnd(3, "0"))
  )
  const offsetMinutes = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1)
  return civil.getTime() - offsetMinutes * 60_000
}

/**
 * Whether these are milliseconds of an instant that {@link formatInstant} can write as RFC 3339.
 */
export const isInstantMs = (instantMs: number): boolean =>
  Number.isInteger(instantMs) && instantMs >= FIRST_MS && instantMs <= LATEST_INSTANT_MS

const within = (text: string, fromMs: number): number | undefined => {
  const instantMs = civilMs(text)
  return instantMs !== undefined && instantMs >= fromMs && instantMs <= LATEST_INSTANT_MS
    ? instantMs
    : undefined
}

/** Milliseconds since 1970 of an instant from a caller; undefined for anything else. */
export const parseInstant = (text: string): number | undefined => within(text, EARLIEST_INSTANT_MS)

/** The same for an instant that the store has written, which may be of the year 0. */
export const readInstant = (text: string): number | undefined => within(text, FIRST_MS)

const LEAP_SECOND = /^(.{17})60(?=[.Zz+-])/

/**
 * Why {@link parseInstant} refuses a text that is an RFC 3339 instant; undefined for any other
 * text.
 */
export const instantProblem = (text: unknown): string | undefined => {
  if (typeof text !== "string") return undefined
  if (civilMs(text) !== undefined) return "an instant of the years 1 to 9999 in UTC"
  return civilMs(text.replace(LEAP_SECOND, "$159")) === undefined
    ? undefined
    : "seconds from 00 to 59, since leap seconds are not kept"
}

/** The instant in UTC, with milliseconds only if they are not zero. */
export const formatInstant = (instantMs: number): string =>
  new Date(instantMs).toISOString().replace(".000Z", "Z")

const expected = "an RFC 3339 date-time with an offset, such as 2026-01-31T09:30:00Z"

/**
 * An RFC 3339 text for callers, milliseconds since 1970 in the store, of the years 1 to 9999 in
 * UTC. Digits past the millisecond are cut off.
 */
export const Instant: DateTimeField = { of: "dateTime", expected, parse: parseInstant }

/** An instant in a response: of the years 0 to 9999. */
export const StoredInstant: DateTimeField = { of: "dateTime", expected, parse: readInstant }
