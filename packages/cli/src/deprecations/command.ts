/** `petstore deprecations`: its options. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { idOption, json, optional } from "../terminal/options.js"

const account = idOption("account").pipe(Options.withDescription("Only calls of this account"), optional)

export const deprecationsCommand = Command.make(
  "deprecations",
  { account, db, json },
  lazy(async () => (await import("./run.js")).reportDeprecatedCalls)
).pipe(
  Command.withDescription(
    [
      "Says which accounts still call operations that are deprecated, how often, and on which days (UTC).",
      "A server adds to these counts when such calls come in, at most every ten seconds, and when it stops."
    ].join("\n\n")
  )
)
