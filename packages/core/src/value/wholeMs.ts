/**
 * Validates the time of a host's clock: integer milliseconds of the years 1 to 9999, which can be
 * stored and written.
 */
import { EARLIEST_INSTANT_MS, LATEST_INSTANT_MS } from "./Instant.js"

/**
 * The time in integer milliseconds; a fraction is cut off. Throws a RangeError for NaN, or a time
 * that no record can have.
 */
export const wholeMs = (given: number): number => {
  const ms = Math.floor(given) + 0
  if (ms >= EARLIEST_INSTANT_MS && ms <= LATEST_INSTANT_MS) return ms
  throw new RangeError(
    `the store's clock says ${String(given)}: expected milliseconds since 1970, of the years ` +
      "1 to 9999"
  )
}
