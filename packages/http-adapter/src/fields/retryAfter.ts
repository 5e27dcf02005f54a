/** What a `Retry-After` field asks for (RFC 9110 §10.2.3). Whoever needs to know reads it here. */
import { parseHttpDate } from "./httpDate.js"

/** What is longer than any number that we count in is as long as this (RFC 9111 §1.2.2). */
const LONGEST_SECONDS = 2 ** 31

/**
 * How long to wait from now, in milliseconds from 0: for whole seconds, or until a date in one of the three
 * forms. Undefined where there is no field, and for one that says neither.
 */
export const retryAfterMs = (field: string | null | undefined, nowMs: number): number | undefined => {
  const text = field?.trim() ?? ""
  if (/^\d+$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS) * 1_000
  const atMs = parseHttpDate(text, nowMs)
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs)
}
