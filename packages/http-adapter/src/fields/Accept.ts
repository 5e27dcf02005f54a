/** What a caller can read (RFC 9110 §12.5.1): JSON, events, and problem details for errors. */
import { RecentMap } from "@petstore/core/adapter"

type AcceptedTypes = {
  /** Whether JSON in any form is acceptable. */
  readonly any: boolean
  /** Whether server-sent events are acceptable. */
  readonly events: boolean
  /**
   * Whether the caller names problem details and prefers them to plain JSON, or likes both equally.
   */
  readonly problem: boolean
}

const EVERYTHING: AcceptedTypes = { any: true, events: true, problem: false }

const RANGE = /^([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)((?:\s*;[^,]*)?)$/
const QUALITY = /;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/

const JSON_TYPE = "application/json"
const EVENTS_TYPE = "text/event-stream"
const PROBLEM_TYPE = "application/problem+json"

/** The quality of a type by the most specific range that includes it; 0 without one. */
const qualityOf = (qualities: ReadonlyMap<string, number>, type: string): number =>
  qualities.get(type) ?? qualities.get("application/*") ?? qualities.get("*/*") ?? 0

/** Ignores members that are no media range. A field without any accepts everything. */
export const readAccept = (field: string): AcceptedTypes => {
  const qualities = new Map<string, number>()
  for (const member of field.toLowerCase().split(",")) {
    const [, range, parameters = ""] = RANGE.exec(member.trim()) ?? []
    if (range !== undefined) qualities.set(range, Number(QUALITY.exec(parameters)?.[1] ?? 1))
  }
  if (qualities.size === 0) return EVERYTHING
  const json = qualityOf(qualities, JSON_TYPE)
  const problem = qualities.get(PROBLEM_TYPE) ?? 0
  return {
    events:
      (qualities.get(EVENTS_TYPE) ?? qualities.get("text/*") ?? qualities.get("*/*") ?? 0) > 0,
    any: json > 0 || qualityOf(qualities, PROBLEM_TYPE) > 0,
    problem: problem > 0 && problem >= json
  }
}

/** Each program sends the same field with every request. */
const cache = new RecentMap<string, AcceptedTypes>(100)

/** An absent field accepts everything. */
export const accepted = (field: string | undefined): AcceptedTypes => {
  if (field === undefined) return EVERYTHING
  const cached = cache.get(field)
  if (cached !== undefined) return cached
  const fresh = readAccept(field)
  cache.set(field, fresh)
  return fresh
}
