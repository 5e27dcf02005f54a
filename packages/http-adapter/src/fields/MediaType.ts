/** Reads a Content-Type as RFC 9110 §8.3.1 writes it, and decides whether it is JSON in UTF-8. */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
/** Blanks belong to exactly one part of the pattern, so that no field makes it try the same text twice. */
const PARAMETER = `[ \\t]*;(?:[ \\t]*(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?`
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})((?:${PARAMETER})*)[ \\t]*$`)
const EACH_PARAMETER = new RegExp(PARAMETER, "g")

const CHARSETS = new Set(["utf-8", "utf8"])

/** The type and subtype in lower case if the field is well formed and any charset is UTF-8; else undefined. */
const utf8TypeOf = (field: string): string | undefined => {
  const parts = MEDIA_TYPE.exec(field)
  if (parts === null) return undefined
  const [, type = "", parameters = ""] = parts
  for (const [, name, token, quoted] of parameters.matchAll(EACH_PARAMETER)) {
    if (name?.toLowerCase() !== "charset") continue
    if (!CHARSETS.has((token ?? quoted ?? "").toLowerCase())) return undefined
  }
  return type.toLowerCase()
}

/** Whether a body of this type is read: JSON, or for a PATCH a JSON merge patch (RFC 7396 §4). */
export const isJson = (field: string, method: string): boolean => {
  if (field === "application/json") return true
  const type = utf8TypeOf(field)
  return type === "application/json" || (type === "application/merge-patch+json" && method === "PATCH")
}
