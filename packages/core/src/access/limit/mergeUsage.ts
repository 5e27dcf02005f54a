/**
 * Adds up what several processes counted for one caller while they could not communicate. For
 * storages.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { dayOf, minuteOf, NO_USAGE, withCounts } from "./CurrentUsage.js"
import { addedLedger, withoutWindow } from "./Ledger.js"
import { isOwn, usedUnder, type WindowCount, written } from "./Window.js"

/** All windows by label, the last one included. */
const ledgerOf = (count: WindowCount): string =>
  count.used === 0 && isOwn(count) ? count.ledger : written(count).ledger

const added = (others: WindowCount, base: WindowCount, own: WindowCount): WindowCount => {
  const last = others.startMs > own.startMs ? others : own
  const before = base.startMs === own.startMs ? base.used : 0
  const used =
    others.startMs === own.startMs ? Math.max(0, others.used + own.used - before) : last.used
  const ledger = addedLedger(ledgerOf(others), ledgerOf(base), ledgerOf(own))
  const sum = { ...last, used, ledger }
  return usedUnder(sum, sum.startMs) === used
    ? { ...sum, ledger: withoutWindow(ledger, sum.startMs / sum.lengthMs) }
    : sum
}

/**
 * Adds the requests of `record` since `base` to those of `others`, which counted since `base` too:
 * by label; if the last windows differ, the later one is the last. Everything else is from
 * `others`.
 */
export const mergeUsage = (
  others: UsageRecord,
  base: UsageRecord | undefined,
  record: UsageRecord
): UsageRecord => {
  const from = base ?? NO_USAGE
  return withCounts(
    others,
    added(minuteOf(others), minuteOf(from), minuteOf(record)),
    added(dayOf(others), dayOf(from), dayOf(record))
  )
}
