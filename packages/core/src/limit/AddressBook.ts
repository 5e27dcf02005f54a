/**
 * Counts requests by address, for callers without a valid key. In the memory of this process only: all that such a caller is
 * ever served is a refusal, and a flood of addresses must not become a flood of writes. Exact as long as an
 * address is remembered; see {@link MAX_ADDRESSES}.
 */
import type { UsageRecord } from "../port/Usage.js"
import { type AddressKey, addressKey } from "./addressKey.js"
import { type BanPolicy, isUnburdened } from "./Ban.js"
import { NO_USAGE } from "./CurrentUsage.js"
import type { Decision } from "./Decision.js"
import type { Limits } from "./Plan.js"
import { type RateHeaders, rateHeaders } from "./RateHeaders.js"
import { rateLimit } from "./RateLimit.js"
import { RecentMap } from "./RecentMap.js"
import { DAY_MS, MINUTE_MS, windowStartMs } from "./Window.js"

export type AddressBook = {
  /** Decides one request and counts it if it is admitted. */
  readonly admit: (address: string, limits: Limits, nowMs: number) => Decision
  /** Where the address stands; counts nothing, and remembers nothing of an address that never came. */
  readonly headers: (address: string, limits: Limits, nowMs: number) => RateHeaders
  /** How many addresses take up room. */
  readonly liveAddresses: () => number
}

/** Beyond so many addresses of one day, those that have not come for longest are forgotten and start afresh. */
const MAX_ADDRESSES = 262_144

/** The same for addresses that are banned or were refused: each has made more requests than a limit allows. */
const MAX_REFUSED_ADDRESSES = 32_768

/** A caller that has only been counted. Small, as there is one for every live address: the day is the minute's. */
type Count = { minute: number; minuteUsed: number; dayUsed: number }

const dayStartOf = (minuteStartMs: number): number => windowStartMs(minuteStartMs, DAY_MS)

const recordOf = ({ minute, minuteUsed, dayUsed }: Count): UsageRecord => {
  const minuteStartMs = minute * MINUTE_MS
  return { ...NO_USAGE, minuteStartMs, minuteUsed, dayStartMs: dayStartOf(minuteStartMs), dayUsed }
}

export const makeAddressBook = (banPolicy: BanPolicy, maxAddresses = MAX_ADDRESSES): AddressBook => {
  const counts = new RecentMap<AddressKey, Count>(maxAddresses)
  const refused = new RecentMap<AddressKey, UsageRecord>(Math.min(maxAddresses, MAX_REFUSED_ADDRESSES))
  let lastDay = 0

  /** With a new day all counts are worth nothing, and so is what is noted of those who are free again. */
  const turnPage = (nowMs: number): void => {
    const day = Math.floor(nowMs / DAY_MS)
    if (day <= lastDay) return
    lastDay = day
    counts.clear()
    refused.retain((record) => !isUnburdened(record, nowMs, banPolicy))
  }

  const find = (key: AddressKey): UsageRecord | undefined => {
    const noted = refused.get(key)
    if (noted !== undefined) return noted
    const count = counts.get(key)
    return count && recordOf(count)
  }

  const store = (key: AddressKey, record: UsageRecord, nowMs: number): void => {
    const { minuteStartMs, minuteUsed, dayStartMs, dayUsed } = record
    // A clock that is set back over midnight can leave the day ahead of the minute: then both are kept as they are.
    if (!isUnburdened(record, nowMs, banPolicy) || dayStartMs !== dayStartOf(minuteStartMs)) {
      refused.set(key, record)
      counts.delete(key)
      return
    }
    refused.delete(key)
    const minute = Math.floor(minuteStartMs / MINUTE_MS) | 0
    const count = counts.get(key)
    if (count === undefined) {
      counts.set(key, { minute, minuteUsed, dayUsed })
      return
    }
    count.minute = minute
    count.minuteUsed = minuteUsed
    count.dayUsed = dayUsed
  }

  return {
    admit: (address, limits, nowMs) => {
      turnPage(nowMs)
      const key = addressKey(address)
      const current = find(key)
      const [decision, next] = rateLimit(limits, current, nowMs, banPolicy)
      if (next !== current) store(key, next, nowMs)
      return decision
    },
    headers: (address, limits, nowMs) => rateHeaders(limits, find(addressKey(address)), nowMs),
    liveAddresses: () => counts.size + refused.size
  }
}
