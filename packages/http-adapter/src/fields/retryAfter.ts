/** The `Retry-After` field (RFC 9110 §10.2.3). */
import { parseHttpDate } from "./httpDate.js"

/** The `Retry-After` of a 503 whose refusal has none of its own, in seconds. */
export const UNAVAILABLE_SECONDS = 1

/** Longer waits are cut to this one (RFC 9111 §1.2.2). */
const LONGEST_SECONDS = 2 ** 31

/**
 * Parses the field: the wait from `nowMs` on, in milliseconds. The field has whole seconds or an
 * HTTP date; undefined where it is missing or malformed.
 */
export const retryAfterMs = (
  field: string | null | undefined,
  nowMs: number
): number | undefined => {
  const text = field?.trim() ?? ""
  if (/^\d+$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS) * 1_000
  const atMs = parseHttpDate(text, nowMs)
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs)
}
