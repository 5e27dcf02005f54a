/** `petstore backup` and `petstore verify`: their options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { db } from "../store/options.js"
import { json } from "../terminal/options.js"

export const backupCommand = Command.make(
  "backup",
  {
    destination: Args.text({ name: "DEST" }).pipe(
      Args.withDescription("The copy: a file that is not there yet")
    ),
    db,
    json
  },
  (asked) =>
    Effect.flatMap(
      Effect.promise(() => import("./backup.js")),
      ({ backUp }) => backUp(asked)
    )
).pipe(
  Command.withDescription(
    [
      "Copies a store, also while it is served, and looks the copy through as verify does.",
      "The copy is the store as it was when the command began. It gets its name once it is found to be whole; otherwise nothing is left behind. To go back to it: stop the servers, and name the copy with --db."
    ].join("\n\n")
  )
)

export const verifyCommand = Command.make("verify", { db, json }, (asked) =>
  Effect.flatMap(
    Effect.promise(() => import("./verify.js")),
    ({ verifyFile }) => verifyFile(asked)
  )
).pipe(
  Command.withDescription(
    [
      "Looks a store through, also while it is served.",
      "It checks whether the file is whole, whether what records refer to is there, and whether the shop's books balance: units sold, on order and for sale, and the statuses that follow from them. It changes nothing, and exits 0 if nothing is wrong, else 1."
    ].join("\n\n")
  )
)
