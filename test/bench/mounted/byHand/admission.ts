/**
 * What a service by hand does before each route: it looks up the key by its digest, counts the
 * request in the windows of a minute and a day, and has the header fields of every answer.
 */
import { type Account, makeAccounts } from "../../peers/shop/accounts.js"
import { API_VERSION, FRESHNESS, policyOf } from "../../peers/shop/fields.js"
import { windowOf } from "../../peers/shop/windowOf.js"

export type Admission = {
  readonly allowed: boolean
  readonly fields: Readonly<Record<string, string>>
}

/** `admit` answers undefined for a key that there is not. */
export const makeAdmission = () => {
  const { key, find } = makeAccounts()
  const daily = windowOf(86_400)
  const minutely = windowOf(60)
  let requests = 0

  const fieldsOf = (
    account: Account,
    nowSeconds: number,
    { remaining, reset }: { readonly remaining: number; readonly reset: number }
  ) => ({
    "X-RateLimit-Limit": String(account.perMinute),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(reset),
    "RateLimit-Policy": policyOf(account),
    RateLimit: `"minute";r=${remaining};t=${reset - nowSeconds}`,
    "Cache-Control": FRESHNESS,
    "X-API-Version": API_VERSION,
    "X-Request-Id": `by-hand-${requests++}`
  })

  const admit = (presented: unknown): Admission | undefined => {
    const account = find(presented)
    if (account === undefined) return undefined
    const nowSeconds = Math.floor(Date.now() / 1_000)
    const day = daily(account.id, nowSeconds, account.perDay)
    const minute = minutely(account.id, nowSeconds, account.perMinute)
    return {
      allowed: day.allowed && minute.allowed,
      fields: fieldsOf(account, nowSeconds, minute)
    }
  }
  return { key, admit }
}

export const UNKNOWN_KEY = {
  code: "invalid_key",
  message: "a valid API key is needed",
  status: 401
} as const

export const TOO_MANY = {
  code: "rate_limited",
  message: "too many requests",
  status: 429
} as const
