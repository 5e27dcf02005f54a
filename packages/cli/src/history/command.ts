/** `petstore history`: its arguments and options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import { RECORD_KINDS } from "@petstore/core"
import * as Effect from "effect/Effect"
import { db } from "../store/options.js"
import { idOf, json } from "../terminal/options.js"

const kind = Args.text({ name: "KIND" }).pipe(
  Args.withDescription(
    `one of ${RECORD_KINDS.join(", ")}; the id of an inventory entry is the pet's`
  ),
  Args.mapEffect((text) => {
    const recordKind = RECORD_KINDS.find((each) => each === text)
    return recordKind === undefined
      ? Effect.fail(
          HelpDoc.p(`KIND: expected ${RECORD_KINDS.join(", ")}, got '${text.slice(0, 40)}'`)
        )
      : Effect.succeed(recordKind)
  })
)

export const historyCommand = Command.make(
  "history",
  { kind, id: idOf("record"), db, json },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("./run.js")),
      ({ showHistory }) => showHistory(options)
    )
).pipe(
  Command.withDescription(
    [
      "Shows the changes of a record: when, what, and by which account and request. Also of " +
        "a deleted record.",
      "It goes back as far as the store keeps changes. Times are in UTC. If no change of the " +
        "record is stored, it says so, and exits 1."
    ].join("\n\n")
  )
)
