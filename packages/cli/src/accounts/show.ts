/** How accounts are shown. */
import { type Account, type Limits, limitsOf, SPECIFIED_PLANS } from "@petstore/core"
import { drawTable, formatCount, shortTime, printable } from "../terminal/text.js"

/** The limits that are in force for an account. */
export const limitsFor = ({ plan, perMinute, perDay }: Account): Limits =>
  limitsOf({ plan, perMinute: perMinute ?? null, perDay: perDay ?? null }, SPECIFIED_PLANS)

/** An account as programs get it: with the limits in force, whatever the plan. */
export const accountJson = (account: Account) => {
  const { id, name, plan, createdAt } = account
  return { id, name, plan, ...limitsFor(account), createdAt }
}

export const accountTable = (accounts: ReadonlyArray<Account>): Promise<string> =>
  drawTable(
    ["id", "name", "plan", "a minute", "a day", "created (UTC)"],
    accounts.map((account) => {
      const { perMinute, perDay } = limitsFor(account)
      const { id, name, plan, createdAt } = account
      return [
        String(id),
        printable(name),
        plan,
        formatCount(perMinute),
        formatCount(perDay),
        shortTime(createdAt)
      ]
    }),
    [0, 3, 4]
  )
