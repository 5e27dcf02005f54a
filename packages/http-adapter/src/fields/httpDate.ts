/** Parses HTTP dates in all three forms (RFC 9110 §5.6.7). Does not check the day of the week. */

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"

const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`

/** `Sun, 06 Nov 1994 08:49:37 GMT`, the form of today. */
const IMF_FIXDATE = new RegExp(
  String.raw`^[A-Z][a-z]{2}, (?<day>\d{1,2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${TIME} GMT$`
)

/** `Sunday, 06-Nov-94 08:49:37 GMT`, the obsolete form of RFC 850. */
const RFC_850 = new RegExp(
  String.raw`^[A-Z][a-z]{5,8}, (?<day>\d{1,2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) ${TIME} GMT$`
)

/** `Sun Nov  6 08:49:37 1994`, the obsolete form of C's asctime, in UTC. */
const ASCTIME = new RegExp(
  String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`
)

type DateParts = Readonly<Record<string, string>>

/** Milliseconds since 1970; undefined for a day or a time that does not exist. */
const msOf = (
  year: number,
  { month = "", day, hour, minute, second }: DateParts
): number | undefined => {
  const monthAt = MONTHS.indexOf(month)
  if (monthAt % 3 !== 0 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
    return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, monthAt / 3, Number(day))
  // A day that the month does not have overflows into the next.
  if (date.getUTCDate() !== Number(day)) return undefined
  return date.setUTCHours(Number(hour), Number(minute), Number(second))
}

/** A year of two digits is the latest one that is at most 50 years from now. */
const ofTwoDigits = (year: string, parts: DateParts, nowMs: number): number | undefined => {
  const limit = new Date(nowMs)
  limit.setUTCFullYear(limit.getUTCFullYear() + 50)
  const limitYear = limit.getUTCFullYear()
  const latestYear = limitYear - ((limitYear - Number(year)) % 100)
  const latestMs = msOf(latestYear, parts)
  return latestMs !== undefined && latestMs > limit.getTime()
    ? msOf(latestYear - 100, parts)
    : latestMs
}

/**
 * Milliseconds since 1970; undefined for a text that is no HTTP date. `nowMs` decides the century
 * of a year of two digits.
 */
export const parseHttpDate = (text: string, nowMs: number): number | undefined => {
  const parts = (IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups
  if (parts === undefined) return undefined
  const { year = "" } = parts
  return year.length === 2 ? ofTwoDigits(year, parts, nowMs) : msOf(Number(year), parts)
}
