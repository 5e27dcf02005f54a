/** Options for the file of a store, and for the plan of an account. */
import * as Options from "@effect/cli/Options"
import { optional, wholeNumber } from "../terminal/options.js"

export const DEFAULT_DB = "petstore.db"

const fileOf = (more: string) =>
  Options.text("db").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(
      `The file of the store, ${DEFAULT_DB} in this folder unless given; ${more}`
    ),
    Options.withDefault(DEFAULT_DB)
  )

export const db = fileOf("it may be served meanwhile")

/** For commands that need the file for themselves. */
export const stoppedDb = fileOf("nothing may have it open")

/** The name of a plan, which core checks. */
export const plan = Options.text("plan").pipe(
  Options.withPseudoName("PLAN"),
  Options.withDescription(
    "free, pro, business, or enterprise, which needs --per-minute and --per-day"
  )
)

/** The limits of an enterprise account. */
export const enterpriseLimits = {
  perMinute: wholeNumber("per-minute", 0, Number.MAX_SAFE_INTEGER).pipe(
    Options.withDescription("Requests a minute, for the plan enterprise"),
    optional
  ),
  perDay: wholeNumber("per-day", 0, Number.MAX_SAFE_INTEGER).pipe(
    Options.withDescription("Requests a day, for the plan enterprise"),
    optional
  )
}
