/** Reads the header fields that node:http drops, joins or does not check. */
import type { IncomingMessage } from "node:http"

/** Every value of a field. Node keeps only the first of some fields, such as `authorization`. */
export const valuesIn = (
  rawHeaders: ReadonlyArray<string>,
  name: string
): ReadonlyArray<string> => {
  const values: Array<string> = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? ""
    if (raw.length === name.length && raw.toLowerCase() === name)
      values.push(rawHeaders[at + 1] ?? "")
  }
  return values
}

/** RFC 9112 §3.2. */
const NO_HOST = "the Host field is missing, which HTTP/1.1 needs"

/** RFC 9112 §3.2: servers on the way may each have used another one. */
const MANY_HOSTS = "there is more than one Host field"

/** RFC 9112 §6.1: an unknown coding can't be decoded. */
const UNKNOWN_CODING = "the Transfer-Encoding is none but chunked"

/** Node drops further fields, among which there may be a condition or a key. */
const MOST_FIELDS = 1_000
const MANY_FIELDS = `there are more than ${MOST_FIELDS - 1} header fields`

/** The mistake in a request that node's parser accepts; undefined where there is none. */
export const faultOf = (request: IncomingMessage): string | undefined => {
  const { headers, rawHeaders, httpVersionMinor } = request
  if (rawHeaders.length >= 2 * MOST_FIELDS) return MANY_FIELDS
  if (headers.host === undefined) return httpVersionMinor > 0 ? NO_HOST : undefined
  if (valuesIn(rawHeaders, "host").length > 1) return MANY_HOSTS
  const coding = headers["transfer-encoding"]
  return coding === undefined || coding.toLowerCase() === "chunked" ? undefined : UNKNOWN_CODING
}
