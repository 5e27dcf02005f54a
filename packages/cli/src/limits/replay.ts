/** `petstore limits replay`: runs recorded requests against a plan. */
import {
  type Limits,
  limitsOf,
  type Replay,
  replay,
  SPECIFIED_PLANS,
  type AdmissionCounts
} from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { type PlanOptions, planChoice } from "../store/planChoice.js"
import { answer } from "../terminal/answer.js"
import { drawTable, formatCount, shortTime, printable } from "../terminal/text.js"
import { barOf, MARKS, scaleOf } from "./chart.js"
import { type BadLine, readTrace, type Trace } from "./Trace.js"

type ReplayOptions = PlanOptions & { readonly trace: string; readonly json: boolean }

/** How much people see. Programs get everything. */
const SHOWN_MINUTES = 120
const SHOWN_KEYS = 20
const SHOWN_LINES = 10

export const replayTrace = (options: ReplayOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const { plan, perMinute = null, perDay = null } = yield* planChoice(options)
    const limits = limitsOf({ plan, perMinute, perDay }, SPECIFIED_PLANS)
    const trace = yield* Effect.tryPromise({
      try: () => readTrace(options.trace),
      catch: (cause) =>
        CommandFailed.because(`${options.trace}: ${whyUnreadable(cause)}`, "unreadable_file")
    })
    if (trace.requests.length === 0) {
      const [bad] = trace.badLines
      yield* CommandFailed.because(
        `${options.trace} has no requests in it` +
          (bad === undefined ? "" : `; line ${bad.line}: ${bad.message}`),
        "no_requests"
      )
    }
    const replayed = withoutSecrets(replay(trace.requests, limits))
    yield* Effect.promise(() =>
      answer(
        options.json,
        () => ({ plan, ...limits, ...replayed, badLines: trace.badLines }),
        () => replayText(plan, limits, replayed, trace)
      )
    )
  })

const whyUnreadable = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code === "ENOENT") return "there is no such file"
  if (code === "EISDIR") return "it is a folder"
  return cause instanceof Error ? cause.message : String(cause)
}

/** A trace may contain whole keys, which must not be printed. */
const redactKey = (key: string): string => (/^ps_\w{38}$/.test(key) ? `${key.slice(0, 8)}…` : key)

const withoutSecrets = ({ total, keys, minutes, outOfOrder }: Replay): Replay => {
  const named = <K extends { readonly key: string }>(all: ReadonlyArray<K>) =>
    all.map((each) => ({ ...each, key: redactKey(each.key) }))
  return {
    total,
    keys: named(keys),
    minutes: minutes.map((minute) => ({ ...minute, keys: named(minute.keys) })),
    outOfOrder
  }
}

const row = (
  head: string,
  { admitted, refused, banned }: AdmissionCounts,
  bar: string
): ReadonlyArray<string> => [
  head,
  formatCount(admitted),
  formatCount(refused),
  formatCount(banned),
  bar
]

const replayText = async (
  plan: string,
  { perMinute, perDay }: Limits,
  { total, keys, minutes, outOfOrder }: Replay,
  { requests, badLines }: Trace
): Promise<string> => {
  const scale = scaleOf(minutes)
  const parts = [
    await drawTable(
      ["minute (UTC)", "admitted", "refused", "banned", ""],
      minutes
        .slice(0, SHOWN_MINUTES)
        .map((minute) => row(shortTime(minute.startMs), minute, barOf(minute, scale))),
      [1, 2, 3]
    ),
    more(minutes.length - SHOWN_MINUTES, "minutes"),
    `${MARKS.admitted} admitted  ${MARKS.refused} refused  ${MARKS.banned} banned; a character ` +
      (scale === 1 ? "is a request" : `of a minute is up to ${formatCount(scale)} requests`) +
      ". Minutes without requests are left out.",
    keys.length > 1 ? await keysTable(keys) : "",
    more(keys.length - SHOWN_KEYS, "keys"),
    `${formatCount(requests.length)} requests of ` +
      (keys.length === 1 ? "one key" : `${formatCount(keys.length)} keys`) +
      ` on the plan ${plan}, ${formatCount(perMinute)} a minute and ${formatCount(perDay)} a day ` +
      `each: ${sentence(total)}.`,
    outOfOrder === 0
      ? ""
      : `${formatCount(outOfOrder)} lines were earlier than one before them; requests were ` +
        "taken in the order of their times.",
    badLines.length === 0 ? "" : badText(badLines)
  ]
  return parts.filter((part) => part !== "").join("\n")
}

const sentence = ({ admitted, refused, banned }: AdmissionCounts): string =>
  `${formatCount(admitted)} admitted, ${formatCount(refused)} refused, ` +
  `${formatCount(banned)} while banned`

const more = (count: number, what: string): string =>
  count > 0 ? `… and ${formatCount(count)} more ${what}; --json has all of them` : ""

/** The keys with the most refusals first. */
const keysTable = (keys: Replay["keys"]): Promise<string> => {
  const worst = keys
    .toSorted((left, right) => right.refused + right.banned - left.refused - left.banned)
    .slice(0, SHOWN_KEYS)
  const scale = scaleOf(worst)
  return drawTable(
    ["key", "admitted", "refused", "banned", ""],
    worst.map((key) => row(printable(key.key), key, barOf(key, scale))),
    [1, 2, 3]
  )
}

const badText = (badLines: ReadonlyArray<BadLine>): string =>
  [
    `LEFT OUT: ${formatCount(badLines.length)} lines that are no requests`,
    ...badLines.slice(0, SHOWN_LINES).map(({ line, message }) => `  line ${line}: ${message}`),
    ...(badLines.length > SHOWN_LINES
      ? [`  … and ${formatCount(badLines.length - SHOWN_LINES)} more`]
      : [])
  ].join("\n")
