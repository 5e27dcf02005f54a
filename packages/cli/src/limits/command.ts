/** `petstore limits`: its commands and their options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db, enterpriseLimits, plan } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { idOption, json } from "../terminal/options.js"

const explain = Command.make(
  "explain",
  {
    account: idOption("account").pipe(Options.withDescription("The account to explain")),
    db,
    json
  },
  lazy(async () => (await import("./explain.js")).explainAccount)
).pipe(
  Command.withDescription(
    [
      "Says where an account stands with its limits, why it was last refused, and what is reset when.",
      "A server sets requests of an account aside in blocks before it counts them; what it has set aside shows as used."
    ].join("\n\n")
  )
)

const replay = Command.make(
  "replay",
  {
    trace: Args.text({ name: "TRACE" }).pipe(
      Args.withDescription(
        'A file with a request a line, {"at": 1767225600000, "key": "till"}: when, in milliseconds since 1970, and whose. - reads standard input'
      )
    ),
    plan,
    ...enterpriseLimits,
    json
  },
  lazy(async () => (await import("./replay.js")).replayTrace)
).pipe(
  Command.withDescription(
    [
      "Runs a trace of requests, recorded or made up, against a plan.",
      "It prints what would have been admitted, refused and banned in each minute, as a table with a chart. Every key is a caller of its own, and starts unused. Lines that are no such request are left out, and reported with their numbers. No store is needed."
    ].join("\n\n")
  )
)

export const limitsCommand = Command.make("limits").pipe(
  Command.withDescription("Explains an account's limits, and tries plans on recorded requests."),
  Command.withSubcommands([explain, replay])
)
