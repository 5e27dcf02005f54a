/**
 * Counts requests by address, for callers without a valid key. Only in the memory of this process:
 * such callers are always refused, and a flood of addresses must not become a flood of writes.
 * Exact as long as an address is in memory; see {@link MAX_ADDRESSES}.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { type AddressKey, addressKey } from "../../value/addressKey.js"
import { type BanPolicy, isUnburdened } from "./Ban.js"
import { minuteOf, NO_USAGE } from "./CurrentUsage.js"
import type { Decision } from "./Decision.js"
import { EMPTY_LEDGER, compact } from "./Ledger.js"
import { makePastDays } from "./PastDays.js"
import type { Limits } from "../account/Plan.js"
import { type RateHeaders, rateHeaders } from "./RateHeaders.js"
import { rateLimit } from "./RateLimit.js"
import { RecentMap } from "../../value/RecentMap.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"
import { isOwn, windowStartMs } from "./Window.js"

export type AddressBook = {
  /** Decides one request and counts it if it is admitted. */
  readonly admit: (address: string, limits: Limits, nowMs: number) => Decision
  /** The standing of the address. Counts nothing, and stores nothing for a new address. */
  readonly headers: (address: string, limits: Limits, nowMs: number) => RateHeaders
  /** The number of addresses in memory. */
  readonly liveAddresses: () => number
}

/**
 * The maximum number of addresses of one day. Beyond it, the least recently seen ones are dropped,
 * and start again at 0.
 */
const MAX_ADDRESSES = 262_144

/** The same for addresses that were refused or are banned: each has used up a limit. */
const MAX_REFUSED_ADDRESSES = 32_768

/**
 * Longer ledgers of addresses that were not refused are compacted, to bound memory under a flood.
 */
const MAX_LEDGER_LENGTH = 96
const LEDGER_ENTRIES = 6

/**
 * The counts of one day of an address that was not refused. Small, because there is one for every
 * address in memory: the day is that of the minute.
 */
type Count = { minute: number; minuteUsed: number; dayUsed: number; otherMinutes: string }

const dayStartOf = (minuteStartMs: number): number => windowStartMs(minuteStartMs, DAY_MS)

const recordOf = ({ minute, minuteUsed, dayUsed, otherMinutes }: Count): UsageRecord => {
  const minuteStartMs = minute * MINUTE_MS
  const dayStartMs = dayStartOf(minuteStartMs)
  return { ...NO_USAGE, minuteStartMs, minuteUsed, dayStartMs, dayUsed, otherMinutes }
}

/**
 * Whether a {@link Count} describes the windows completely: not after a clock was set back over
 * midnight.
 */
const isPlain = (record: UsageRecord): boolean => {
  const { minuteStartMs, dayStartMs, otherDays = EMPTY_LEDGER } = record
  return (
    dayStartMs === dayStartOf(minuteStartMs) &&
    otherDays === EMPTY_LEDGER &&
    isOwn(minuteOf(record))
  )
}

const countOf = ({
  minuteStartMs,
  minuteUsed,
  dayUsed,
  otherMinutes = EMPTY_LEDGER
}: UsageRecord): Count => ({
  minute: Math.floor(minuteStartMs / MINUTE_MS) | 0,
  minuteUsed,
  dayUsed,
  otherMinutes:
    otherMinutes.length > MAX_LEDGER_LENGTH ? compact(otherMinutes, LEDGER_ENTRIES) : otherMinutes
})

export const makeAddressBook = (
  banPolicy: BanPolicy,
  maxAddresses = MAX_ADDRESSES
): AddressBook => {
  const counts = new RecentMap<AddressKey, Count>(maxAddresses)
  const refused = new RecentMap<AddressKey, UsageRecord>(
    Math.min(maxAddresses, MAX_REFUSED_ADDRESSES)
  )
  const past = makePastDays()
  let lastDay = 0

  /**
   * A new day makes all counts obsolete, and also the records of callers that are no longer
   * refused.
   */
  const startDay = (nowMs: number): void => {
    const day = Math.floor(nowMs / DAY_MS)
    if (day <= lastDay) return
    lastDay = day
    past.closeDays()
    counts.clear()
    refused.retain((record) => !isUnburdened(record, nowMs, banPolicy))
  }

  /**
   * If the clock was set back to a past day, its counts are estimated from what is left of them.
   */
  const find = (key: AddressKey, nowMs: number): UsageRecord | undefined => {
    const count = counts.get(key)
    const record = refused.get(key) ?? (count && recordOf(count))
    return nowMs < lastDay * DAY_MS ? past.withPastMaximum(record, nowMs) : record
  }

  const store = (key: AddressKey, record: UsageRecord, nowMs: number): void => {
    past.record(record, nowMs)
    if (!isUnburdened(record, nowMs, banPolicy) || !isPlain(record)) {
      refused.set(key, record)
      counts.delete(key)
      return
    }
    refused.delete(key)
    const next = countOf(record)
    const count = counts.get(key)
    if (count === undefined) counts.set(key, next)
    else Object.assign(count, next)
  }

  return {
    admit: (address, limits, nowMs) => {
      startDay(nowMs)
      const key = addressKey(address)
      const current = find(key, nowMs)
      const [decision, next] = rateLimit(limits, current, nowMs, banPolicy)
      if (next !== current) store(key, next, nowMs)
      return decision
    },
    headers: (address, limits, nowMs) =>
      rateHeaders(limits, find(addressKey(address), nowMs), nowMs),
    liveAddresses: () => counts.size + refused.size
  }
}
