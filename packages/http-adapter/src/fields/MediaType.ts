/** Parses Content-Type (RFC 9110 §8.3.1) and decides whether it is JSON in UTF-8. */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
/** Each blank can match in one place only, so the pattern never backtracks over it. */
const PARAMETER = `[ \\t]*;(?:[ \\t]*(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?`
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})((?:${PARAMETER})*)[ \\t]*$`)
const EACH_PARAMETER = new RegExp(PARAMETER, "g")

const CHARSETS = new Set(["utf-8", "utf8"])

/** The type in lower case; undefined for a malformed field or another charset than UTF-8. */
const utf8TypeOf = (field: string): string | undefined => {
  const match = MEDIA_TYPE.exec(field)
  if (match === null) return undefined
  const [, type = "", parameters = ""] = match
  for (const [, name, token, quoted] of parameters.matchAll(EACH_PARAMETER)) {
    if (name?.toLowerCase() !== "charset") continue
    if (!CHARSETS.has((token ?? quoted ?? "").toLowerCase())) return undefined
  }
  return type.toLowerCase()
}

/** Whether the type is JSON, or for a PATCH a JSON merge patch (RFC 7396 §4). */
export const isJson = (field: string, method: string): boolean => {
  if (field === "application/json") return true
  const type = utf8TypeOf(field)
  return (
    type === "application/json" || (type === "application/merge-patch+json" && method === "PATCH")
  )
}
