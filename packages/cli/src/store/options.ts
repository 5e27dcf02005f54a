/** Options of the commands that work on a store's file, or on what an account may do. */
import * as Options from "@effect/cli/Options"
import { optional, wholeNumber } from "../terminal/options.js"

export const DEFAULT_DB = "petstore.db"

const fileOf = (more: string) =>
  Options.text("db").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(`The file of the store, ${DEFAULT_DB} in this folder unless given; ${more}`),
    Options.withDefault(DEFAULT_DB)
  )

/** The file of the store. */
export const db = fileOf("it may be served meanwhile")

/** The same for what nobody may have open meanwhile. */
export const stoppedDb = fileOf("nothing may have it open")

/** Which plan; whether there is one of that name is for the rules to say. */
export const plan = Options.text("plan").pipe(
  Options.withPseudoName("PLAN"),
  Options.withDescription("free, pro, business, or enterprise, which needs --per-minute and --per-day")
)

/** The numbers that are agreed with an enterprise account. */
export const agreed = {
  perMinute: wholeNumber("per-minute", 0, Number.MAX_SAFE_INTEGER).pipe(
    Options.withDescription("Requests a minute, for the plan enterprise"),
    optional
  ),
  perDay: wholeNumber("per-day", 0, Number.MAX_SAFE_INTEGER).pipe(
    Options.withDescription("Requests a day, for the plan enterprise"),
    optional
  )
}
