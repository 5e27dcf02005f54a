/**
 * Explains why a caller is refused or admitted, and when that changes: for operators and support.
 */
import { formatInstant } from "../../value/Instant.js"
import type { BanPolicy } from "./Ban.js"
import type { Limits } from "../account/Plan.js"
import type { WindowStanding } from "./RateHeaders.js"
import type { LastRefusal, Standing } from "./Standing.js"

/** The standing of an account and its reasons: `text` for people, the rest for programs. */
export type Explanation = Standing & {
  /** The time of the explanation. */
  readonly atMs: number
  readonly limits: Limits
  /**
   * The time from which a request is admitted, unless other requests use up the limit first; `atMs`
   * if that is now.
   */
  readonly admittedFromMs: number
  /**
   * The number of strikes that count, the number that starts a ban, and when the oldest one
   * expires.
   */
  readonly strikes: {
    readonly count: number
    readonly of: number
    readonly nextLapseMs: number | null
  }
  /** The explanation in sentences. */
  readonly text: string
}

/** A reason to refuse the caller, its end, and its text. */
type Cause = { readonly endMs: number; readonly is: (end: string) => string }

const causesOf = ({ minute, day, bannedUntilMs }: Standing): ReadonlyArray<Cause> => [
  ...(bannedUntilMs === null
    ? []
    : [
        {
          endMs: bannedUntilMs,
          is: (end: string) =>
            `it is banned until ${end} for repeating requests before Retry-After was over`
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
 * Names the reasons that hold until the end of the wait. A reason that ends earlier is left out.
 */
const verdict = (standing: Standing, fromMs: number, atMs: number): string => {
  if (fromMs === atMs) return "Its next request is admitted."
  const causes = causesOf(standing).filter(({ endMs }) => endMs >= fromMs)
  const sentences = causes.map(({ is, endMs }) => is(formatInstant(endMs)))
  return `It is refused until ${formatInstant(fromMs)}: ${sentences.join(", and ")}.`
}

const REFUSED_BY = {
  minute: "the minute's requests were used up",
  day: "the day's requests were used up",
  ban: "too many requests came before Retry-After was over, which began a ban"
} as const

const history = (last: LastRefusal | null): string =>
  last === null
    ? "No refusal is remembered."
    : `It was last refused from ${formatInstant(last.atMs)} on, because ` +
      `${REFUSED_BY[last.by]}, and told to wait until ${formatInstant(last.untilMs)}.`

const warning = (
  { count, of, nextLapseMs }: Explanation["strikes"],
  bans: number
): ReadonlyArray<string> => [
  ...(nextLapseMs === null
    ? []
    : [
        `${count} of ${of} strikes count towards a ban; the oldest lapses at ` +
          `${formatInstant(nextLapseMs)}.`
      ]),
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
