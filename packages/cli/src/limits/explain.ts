/** `petstore limits explain`: prints the standing of an account. */
import type { Explanation } from "@petstore/core"
import type { WindowStanding } from "@petstore/core/adapter"
import type * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"
import { withStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { drawTable, formatCount, formatSeconds, shortTime } from "../terminal/text.js"

type ExplainOptions = {
  readonly account: number
  readonly db: string
  readonly json: boolean
}

export const explainAccount = ({
  account,
  db,
  json
}: ExplainOptions): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const explanation = await store.limits.explain(account)
    await answer(
      json,
      () => ({ account, ...explanation }),
      () => explanationText(explanation)
    )
  })

const explanationText = async ({ minute, day, text, atMs }: Explanation): Promise<string> => {
  const row = ({
    window,
    limit,
    used,
    remaining,
    resetMs
  }: WindowStanding): ReadonlyArray<string> => [
    window,
    formatCount(limit),
    formatCount(used),
    formatCount(remaining),
    `${shortTime(resetMs)}, in ${formatSeconds((resetMs - atMs) / 1_000)}`
  ]
  const table = await drawTable(
    ["window", "limit", "used", "remaining", "reset at (UTC)"],
    [row(minute), row(day)],
    [1, 2, 3]
  )
  return `${table}\n${text.replaceAll(/(?<=\.) (?=[A-Z0-9])/g, "\n")}`
}
