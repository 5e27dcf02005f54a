/**
 * What each caller has used of other minutes and days than those that were counted in last, by their
 * labels (Ledger.ts in core): a clock that is set may come to them once more.
 */
export const otherWindows = `
ALTER TABLE usage ADD COLUMN other_minutes TEXT;
ALTER TABLE usage ADD COLUMN other_days TEXT;
`
