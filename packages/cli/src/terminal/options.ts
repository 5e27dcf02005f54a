/** Types of options and arguments that the command-line library does not have. */
import * as Args from "@effect/cli/Args"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { parseInstant } from "@petstore/core"
import { instantProblem } from "@petstore/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** An option that is undefined unless given. */
export const optional = <A>(option: Options.Options<A>): Options.Options<A | undefined> =>
  Options.map(Options.optional(option), Option.getOrUndefined)

/** An integer in plain digits, from `least` to `most`. */
export const wholeNumber = (name: string, least: number, most: number): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("N"),
    Options.mapEffect((text) =>
      /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most
        ? Effect.succeed(Number(text))
        : invalidValue(
            name,
            `expected a whole number from ${least} to ${most}, got '${text.slice(0, 40)}'`
          )
    )
  )

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000
}
const DAY_MS = 86_400_000

/** A duration such as 90s, 15m, 1h or 7d, in milliseconds. */
export const duration = (name: string, longestDays = 366): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("TIME"),
    Options.mapEffect((text) => {
      const [, count = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
      const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN)
      return ms <= longestDays * DAY_MS
        ? Effect.succeed(ms)
        : invalidValue(
            name,
            `expected a time such as 90s, 15m, 1h or 7d, up to ${longestDays}d, got ` +
              `'${text.slice(0, 40)}'`
          )
    })
  )

/** An RFC 3339 date-time, or a day, which means 00:00 UTC. In milliseconds since 1970. */
export const instant = (name: string): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("DATE"),
    Options.mapEffect((text) => {
      const ms = instantMsOf(text)
      return ms === undefined
        ? invalidValue(
            name,
            "expected " +
              `${dateProblem(text) ?? "a day such as 2027-01-31, or an RFC 3339 date-time"}, ` +
              `got '${text.slice(0, 40)}'`
          )
        : Effect.succeed(ms)
    })
  )

/** A day means its first instant. */
const withTime = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text

/** Why a date is refused that RFC 3339 allows; else undefined. */
export const dateProblem = (text: string): string | undefined => instantProblem(withTime(text))

/** Milliseconds since 1970 of a day or an RFC 3339 date-time; undefined for anything else. */
export const instantMsOf = (text: string): number | undefined => parseInstant(withTime(text))

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
        : invalidValue(name, `expected a number from 1, got '${text.slice(0, 40)}'`)
    )
  )

const isIdText = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text)

/** Fails with the reason why the value of an option is invalid. */
export const invalidValue = (
  name: string,
  why: string
): Effect.Effect<never, ValidationError.ValidationError> =>
  Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--${name}: ${why}`)))

export const json = Options.boolean("json").pipe(
  Options.withDescription("Print one JSON object instead of text for people")
)
