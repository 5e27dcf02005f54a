/** What a `Retry-After` field asks for (RFC 9110 §10.2.3), in milliseconds from now; undefined for one that says nothing. */

export const retryAfterMs = (field: string | undefined, nowMs: number): number | undefined => {
  if (field === undefined) return undefined
  if (/^\d{1,9}$/.test(field)) return Number(field) * 1_000
  const at = field.endsWith("GMT") ? Date.parse(field) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
