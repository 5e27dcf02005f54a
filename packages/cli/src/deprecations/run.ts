/** `petstore deprecations`: prints the calls of deprecated operations. */
import type { DeprecatedCallCount } from "@petstore/core"
import type * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"
import { everyPage } from "../store/everyPage.js"
import { withStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { drawTable, formatCount } from "../terminal/text.js"

type DeprecationsOptions = {
  /** Undefined for all accounts. */
  readonly account: number | undefined
  readonly db: string
  readonly json: boolean
}

export const reportDeprecatedCalls = ({
  account,
  db,
  json
}: DeprecationsOptions): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const query = account === undefined ? {} : { accountId: account }
    const counts = await everyPage(store.deprecatedCalls.list, query)
    await answer(
      json,
      () => ({ deprecations: counts }),
      () => textOf(counts)
    )
  })

const textOf = (counts: ReadonlyArray<DeprecatedCallCount>): string | Promise<string> =>
  counts.length === 0
    ? "No calls of deprecated operations have been counted."
    : drawTable(
        ["account", "operation", "day", "calls"],
        counts.map(({ accountId, operation, day, calls }) => [
          String(accountId),
          operation,
          day,
          formatCount(calls)
        ]),
        [0, 3]
      )
