/** Kinds of command-line options and arguments that the library has no kind for. */
import * as Args from "@effect/cli/Args"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { instantProblem, parseInstant } from "@petstore/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** An option that is undefined unless given. */
export const optional = <A>(option: Options.Options<A>): Options.Options<A | undefined> =>
  Options.map(Options.optional(option), Option.getOrUndefined)

/** A whole number in plain digits, within bounds. */
export const wholeNumber = (name: string, least: number, most: number): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("N"),
    Options.mapEffect((text) =>
      /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most
        ? Effect.succeed(Number(text))
        : misused(name, `expected a whole number from ${least} to ${most}, got '${text.slice(0, 40)}'`)
    )
  )

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DAY_MS = 86_400_000

/** A span of time such as 90s, 15m, 1h or 7d, up to so many days, in milliseconds. */
export const duration = (name: string, longestDays = 366): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("TIME"),
    Options.mapEffect((text) => {
      const [, count = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
      const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN)
      return ms <= longestDays * DAY_MS
        ? Effect.succeed(ms)
        : misused(
            name,
            `expected a time such as 90s, 15m, 1h or 7d, up to ${longestDays}d, got '${text.slice(0, 40)}'`
          )
    })
  )

/** An instant: RFC 3339, or a day, which means 00:00 UTC. In milliseconds since 1970. */
export const instant = (name: string): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("DATE"),
    Options.mapEffect((text) => {
      const ms = instantMsOf(text)
      return ms === undefined
        ? misused(
            name,
            `expected ${dateProblem(text) ?? "a day such as 2027-01-31, or an RFC 3339 date-time"}, got '${text.slice(0, 40)}'`
          )
        : Effect.succeed(ms)
    })
  )

/** A day is its first instant. */
const wholeInstant = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)

/** What a date is not that is refused though RFC 3339 has it; else undefined. */
export const dateProblem = (text: string): string | undefined => instantProblem(wholeInstant(text))

/** Milliseconds since 1970 of a day or an RFC 3339 date-time; undefined for anything else. */
export const instantMsOf = (text: string): number | undefined => parseInstant(wholeInstant(text))

/** The id of a record, such as an account. */
export const idOf = (what: string): Args.Args<number> =>
  Args.text({ name: "ID" }).pipe(
    Args.withDescription(`The id of the ${what}`),
    Args.mapEffect((text) =>
      isIdText(text)
        ? Effect.succeed(Number(text))
        : Effect.fail(HelpDoc.p(`ID: expected a number from 1, got '${text.slice(0, 40)}'`))
    )
  )

/** The id of a record, as an option. */
export const idOption = (name: string): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("ID"),
    Options.mapEffect((text) =>
      isIdText(text)
        ? Effect.succeed(Number(text))
        : misused(name, `expected a number from 1, got '${text.slice(0, 40)}'`)
    )
  )

const isIdText = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text)

/** Says that an option was given something it can't take. */
export const misused = (name: string, why: string): Effect.Effect<never, ValidationError.ValidationError> =>
  Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--${name}: ${why}`)))

/** Prints one JSON object for programs instead of text for people. */
export const json = Options.boolean("json").pipe(
  Options.withDescription("Print one JSON object instead of text for people")
)
