/** How much of what was given a refusal repeats, and in which words. */

const MAX_ECHO = 40

/**
 * A short piece of what was given, safe to show: no control characters, never the whole of a long
 * value.
 */
export const echo = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  if (typeof value === "number" && !Number.isInteger(value)) {
    return Number.isFinite(value) ? String(value) : "a number out of range or not in plain digits"
  }
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value)
  if (typeof value !== "string") return value === null ? "null" : `a ${typeof value}`
  const short = Array.from(value.slice(0, 2 * MAX_ECHO))
    .slice(0, MAX_ECHO)
    .join("")
    .toWellFormed()
  return `${JSON.stringify(short)}${short.length < value.length ? " …" : ""}`
}
