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
      "Shows the limits of an account, how much is used, why it was last refused, and when " +
        "limits reset.",
      "A server reserves requests of an account in blocks. Reserved requests show as used."
    ].join("\n\n")
  )
)

const replay = Command.make(
  "replay",
  {
    trace: Args.text({ name: "TRACE" }).pipe(
      Args.withDescription(
        'A file with one request a line, {"at": 1767225600000, "key": "till"}: the time in ' +
          "milliseconds since 1970, and the caller. - reads standard input"
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
      "It prints a table and a chart of the requests that would be admitted, refused and " +
        "banned in each minute. Each key is a caller with unused limits. Invalid lines are " +
        "skipped and reported. No store is needed."
    ].join("\n\n")
  )
)

export const limitsCommand = Command.make("limits").pipe(
  Command.withDescription("Explains an account's limits, and tries plans on recorded requests."),
  Command.withSubcommands([explain, replay])
)
