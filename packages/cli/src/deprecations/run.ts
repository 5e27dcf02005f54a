/** `petstore deprecations`: prints the calls of deprecated operations. */
import type { DeprecatedCallCount, OpenPetStore } from "@petstore/core"
import type * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"
import { withStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { drawTable, formatCount } from "../terminal/text.js"

export type DeprecationsOptions = {
  /** Undefined for all accounts. */
  readonly account: number | undefined
  readonly db: string
  readonly json: boolean
}

const PAGE = 100

const countsOf = async (
  store: OpenPetStore,
  account: number | undefined
): Promise<ReadonlyArray<DeprecatedCallCount>> => {
  const counts: Array<DeprecatedCallCount> = []
  let cursor: string | undefined
  do {
    const page = await store.deprecatedCalls.list({
      limit: PAGE,
      ...(account === undefined ? {} : { accountId: account }),
      ...(cursor === undefined ? {} : { cursor })
    })
    counts.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined)
  return counts
}

export const reportDeprecatedCalls = ({
  account,
  db,
  json
}: DeprecationsOptions): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const counts = await countsOf(store, account)
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
