/** `petstore seed`: its options. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db } from "../store/options.js"
import { retentionOptions } from "../store/retention.js"
import { lazy } from "../terminal/lazy.js"
import { json, optional, wholeNumber } from "../terminal/options.js"

export const seedCommand = Command.make(
  "seed",
  {
    count: wholeNumber("count", 1, 10_000_000).pipe(
      Options.withDescription(
        "So many animals instead of the demo shop's 200, with stock and orders in the same proportions"
      ),
      optional
    ),
    ...retentionOptions,
    db,
    json
  },
  lazy(async () => (await import("./seed.js")).seed)
).pipe(
  Command.withDescription(
    [
      "Fills a new or empty store with the demo shop, or with many animals. The file is made if it is not there.",
      "The same count gives the same shop on any machine, but for its dates, which are about today. With --count it is stored a piece at a time, so a run that is interrupted leaves a smaller shop."
    ].join("\n\n")
  )
)
