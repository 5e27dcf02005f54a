/**
 * Says in full why a caller is refused, or is not, and what changes when: for operators, and for
 * callers who ask them.
 */
import { formatInstant } from "../../value/Instant.js"
import type { BanPolicy } from "./Ban.js"
import type { Limits } from "../account/Plan.js"
import type { WindowStanding } from "./RateHeaders.js"
import type { LastRefusal, Standing } from "./Standing.js"

/** Where an account stands, and why: `text` says it for people, the rest for programs. */
export type Explanation = Standing & {
  /** As of when. */
  readonly atMs: number
  readonly limits: Limits
  /**
   * From when on a request is admitted, unless others use the requests up first; `atMs` if it is
   * now.
   */
  readonly admittedFromMs: number
  /**
   * How many strikes count at present, of how many that start a ban, and when the oldest no longer
   * does.
   */
  readonly strikes: { readonly count: number; readonly of: number; readonly nextLapseMs: number | null }
  /** All of this in sentences. */
  readonly text: string
}

/** What keeps a caller out, until when, and how that is said. */
type Cause = { readonly endMs: number; readonly is: (end: string) => string }

const causesOf = ({ minute, day, bannedUntilMs }: Standing): ReadonlyArray<Cause> => [
  ...(bannedUntilMs === null
    ? []
    : [
        {
          endMs: bannedUntilMs,
          is: (end: string) => `it is banned until ${end} for repeating requests before Retry-After was over`
        }
      ]),
  ...[day, minute]
    .filter(({ remaining }) => remaining === 0)
    .map(({ window, resetMs }) => ({
      endMs: resetMs,
      is: (end: string) => `the ${window}'s requests are used up until ${end}`
    }))
]

const admittedFrom = (standing: Standing, atMs: number): number =>
  Math.max(atMs, ...causesOf(standing).map(({ endMs }) => endMs))

const usedText = ({ window, used, limit, resetMs }: WindowStanding): string =>
  `${used} of ${limit} requests of this UTC ${window}, which ends at ${formatInstant(resetMs)}`

/**
 * Names what holds until the very end: what is over earlier is not why the caller still waits then.
 */
const verdict = (standing: Standing, fromMs: number, atMs: number): string => {
  if (fromMs === atMs) return "Its next request is admitted."
  const causes = causesOf(standing).filter(({ endMs }) => endMs >= fromMs)
  const told = causes.map(({ is, endMs }) => is(formatInstant(endMs)))
  return `It is refused until ${formatInstant(fromMs)}: ${told.join(", and ")}.`
}

const REFUSED_BY = {
  minute: "the minute's requests were used up",
  day: "the day's requests were used up",
  ban: "too many requests came before Retry-After was over, which began a ban"
} as const

const history = (last: LastRefusal | null): string =>
  last === null
    ? "No refusal is remembered."
    : `It was last refused from ${formatInstant(last.atMs)} on, because ${REFUSED_BY[last.by]}, and told to wait until ${formatInstant(last.untilMs)}.`

const warning = ({ count, of, nextLapseMs }: Explanation["strikes"], bans: number): ReadonlyArray<string> => [
  ...(nextLapseMs === null
    ? []
    : [`${count} of ${of} strikes count towards a ban; the oldest lapses at ${formatInstant(nextLapseMs)}.`]),
  ...(bans === 0 ? [] : [`Bans in a row so far: ${bans}; each further one is twice as long.`])
]

export const explain = (
  subject: string,
  limits: Limits,
  standing: Standing,
  policy: BanPolicy,
  atMs: number
): Explanation => {
  const admittedFromMs = admittedFrom(standing, atMs)
  const counting = standing.strikesMs.filter((strikeMs) => strikeMs > atMs - policy.withinMs)
  const [oldestMs] = counting
  const strikes = {
    count: counting.length,
    of: policy.strikes,
    nextLapseMs: oldestMs === undefined ? null : oldestMs + policy.withinMs
  }
  const sentences = [
    `${subject} has used ${usedText(standing.minute)}, and ${usedText(standing.day)}.`,
    verdict(standing, admittedFromMs, atMs),
    history(standing.lastRefusal),
    ...warning(strikes, standing.bans)
  ]
  return { ...standing, atMs, limits, admittedFromMs, strikes, text: sentences.join(" ") }
}
