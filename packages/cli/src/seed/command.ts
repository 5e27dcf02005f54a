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
        "The number of animals, with stock and orders in proportion; the demo shop's 200 " +
          "unless given"
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
      "Fills a new or empty store with the demo shop, or with many animals. Creates the file " +
        "if needed.",
      "The same count gives the same shop, except for its dates, which are around today. " +
        "With --count it is stored in batches, so an interrupted run leaves a smaller shop."
    ].join("\n\n")
  )
)
