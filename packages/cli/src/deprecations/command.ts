/** `petstore deprecations`: its options. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { idOption, json, optional } from "../terminal/options.js"

const account = idOption("account").pipe(
  Options.withDescription("Only calls of this account"),
  optional
)

export const deprecationsCommand = Command.make(
  "deprecations",
  { account, db, json },
  lazy(async () => (await import("./run.js")).reportDeprecatedCalls)
).pipe(
  Command.withDescription(
    [
      "Shows which accounts still call deprecated operations, how often, and on which days (UTC).",
      "A server writes these counts at most every ten seconds, and when it stops."
    ].join("\n\n")
  )
)
