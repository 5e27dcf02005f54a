/**
 * Who may call a hand-written peer: accounts by the SHA-256 digest of their key. Limits are such
 * that no run reaches them.
 */
import { createHash, randomBytes } from "node:crypto"

export const PER_MINUTE = 10 ** 9
export const PER_DAY = 10 ** 9

export type Account = { readonly id: string; readonly perMinute: number; readonly perDay: number }

export type Accounts = {
  readonly key: string
  /** The account of a presented key. */
  readonly find: (presented: unknown) => Account | undefined
}

const digest = (key: string): string => createHash("sha256").update(key).digest("hex")

export const makeAccounts = (): Accounts => {
  const key = `ps_${randomBytes(19).toString("hex")}`
  const accounts = new Map<string, Account>([
    [digest(key), { id: "1", perMinute: PER_MINUTE, perDay: PER_DAY }]
  ])
  return {
    key,
    find: (presented) =>
      typeof presented === "string" ? accounts.get(digest(presented)) : undefined
  }
}
