/** Options for how many changes of the shop are kept, and for how long. */
import * as Options from "@effect/cli/Options"
import { type ChangeRetention, DEFAULT_CHANGE_RETENTION } from "@petstore/core"
import { duration, wholeNumber } from "../terminal/options.js"

export type RetentionOptions = { readonly keepChanges: number; readonly keepChangesForMs: number }

/** A hundred years. */
const LONGEST_DAYS = 36_525

export const retentionOptions = {
  keepChanges: wholeNumber("keep-changes", 1, 1_000_000_000).pipe(
    Options.withDescription(
      "The most changes to keep, for history, /events and webhooks; 100000 unless given. All " +
        "processes that write a store need the same"
    ),
    Options.withDefault(DEFAULT_CHANGE_RETENTION.count)
  ),
  keepChangesForMs: duration("keep-changes-for", LONGEST_DAYS).pipe(
    Options.withDescription("How long to keep changes; 7d unless given"),
    Options.withDefault(DEFAULT_CHANGE_RETENTION.ageMs)
  )
}

export const retentionOf = ({
  keepChanges,
  keepChangesForMs
}: RetentionOptions): ChangeRetention => ({
  count: keepChanges,
  ageMs: keepChangesForMs
})
