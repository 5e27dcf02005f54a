/** Kinds of command-line options that the library has no kind for. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"

/** A whole number in plain digits, within bounds. */
export const wholeNumber = (name: string, least: number, most: number): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("N"),
    Options.mapEffect((text) =>
      /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most
        ? Effect.succeed(Number(text))
        : misused(name, `expected a whole number from ${least} to ${most}, got '${text.slice(0, 40)}'`)
    )
  )

/** Says that an option was given something it can't take. */
export const misused = (name: string, why: string): Effect.Effect<never, ValidationError.ValidationError> =>
  Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--${name}: ${why}`)))
