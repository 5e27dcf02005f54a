/** Prints accounts. */
import type { Account } from "@petstore/core"
import { accountLimits } from "../store/accountLimits.js"
import { drawTable, formatCount, shortTime, printable } from "../terminal/text.js"

/** An account for programs, with the limits in force on any plan. */
export const accountJson = (account: Account) => {
  const { id, name, plan, createdAt } = account
  return { id, name, plan, ...accountLimits(account), createdAt }
}

export const accountTable = (accounts: ReadonlyArray<Account>): Promise<string> =>
  drawTable(
    ["id", "name", "plan", "a minute", "a day", "created (UTC)"],
    accounts.map((account) => {
      const { perMinute, perDay } = accountLimits(account)
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
