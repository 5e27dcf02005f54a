/** Formats a given value for error messages. */

const MAX_ECHO = 40

/**
 * A short excerpt of a value that is safe to show: no control characters, and never all of a long
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
