/** The one parser of the `Retry-After` field (RFC 9110 §10.2.3). */
import { parseHttpDate } from "./httpDate.js"

/** Longer waits count as this one (RFC 9111 §1.2.2). */
const LONGEST_SECONDS = 2 ** 31

/**
 * How long to wait from `nowMs`, in milliseconds from 0. The field is whole seconds or an HTTP date in
 * one of its three forms; undefined where it is missing or neither.
 */
export const retryAfterMs = (field: string | null | undefined, nowMs: number): number | undefined => {
  const text = field?.trim() ?? ""
  if (/^\d+$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS) * 1_000
  const atMs = parseHttpDate(text, nowMs)
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs)
}
