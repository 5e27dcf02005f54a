/**
 * Keeps what a host's clock says to what can be stored and written: whole milliseconds of the years
 * 1 to 9999.
 */
import { EARLIEST_INSTANT_MS, LATEST_INSTANT_MS } from "./Instant.js"

/**
 * The clock's time in whole milliseconds; a fraction is cut off. Throws a RangeError where the
 * clock says no time, such as NaN, or one that no record can have.
 */
export const wholeMs = (given: number): number => {
  const ms = Math.floor(given) + 0
  if (ms >= EARLIEST_INSTANT_MS && ms <= LATEST_INSTANT_MS) return ms
  throw new RangeError(
    `the store's clock says ${String(given)}: expected milliseconds since 1970, of the years 1 to 9999`
  )
}
