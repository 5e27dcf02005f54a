/** What a caller can read (RFC 9110 §12.5.1), as far as it matters here: JSON, events, and problem details for errors. */

export type Accepted = {
  /** Whether JSON in any form is acceptable. */
  readonly any: boolean
  /** Whether server-sent events are. */
  readonly events: boolean
  /** Whether errors are wanted as problem details: named, and liked no less than plain JSON. */
  readonly problem: boolean
}

const EVERYTHING: Accepted = { any: true, events: true, problem: false }

const RANGE = /^([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)((?:\s*;[^,]*)?)$/
const QUALITY = /;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/

const JSON_TYPE = "application/json"
const EVENTS_TYPE = "text/event-stream"
const PROBLEM_TYPE = "application/problem+json"

/** The quality of a type: by its own name, else by `application/*`, else by `*` + `/*`; 0 where nothing names it. */
const qualityOf = (qualities: ReadonlyMap<string, number>, type: string): number =>
  qualities.get(type) ?? qualities.get("application/*") ?? qualities.get("*/*") ?? 0

/** Reads the field. What is no media range is skipped, and a field without any says nothing. */
export const readAccept = (field: string): Accepted => {
  const qualities = new Map<string, number>()
  for (const piece of field.toLowerCase().split(",")) {
    const [, range, parameters = ""] = RANGE.exec(piece.trim()) ?? []
    if (range !== undefined) qualities.set(range, Number(QUALITY.exec(parameters)?.[1] ?? 1))
  }
  if (qualities.size === 0) return EVERYTHING
  const json = qualityOf(qualities, JSON_TYPE)
  const problem = qualities.get(PROBLEM_TYPE) ?? 0
  return {
    events: (qualities.get(EVENTS_TYPE) ?? qualities.get("text/*") ?? qualities.get("*/*") ?? 0) > 0,
    any: json > 0 || qualityOf(qualities, PROBLEM_TYPE) > 0,
    problem: problem > 0 && problem >= json
  }
}

/** A program sends the same field with every request, and there are few programs. */
const MOST_KNOWN = 100
const known = new Map<string, Accepted>()

/** What an Accept field says, or its absence. */
export const accepted = (field: string | undefined): Accepted => {
  if (field === undefined) return EVERYTHING
  const before = known.get(field)
  if (before !== undefined) return before
  if (known.size >= MOST_KNOWN) known.clear()
  const read = readAccept(field)
  known.set(field, read)
  return read
}
