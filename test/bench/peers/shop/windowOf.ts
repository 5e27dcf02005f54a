/** Counts by account in windows of so many seconds. */
export const windowOf = (seconds: number) => {
  const used = new Map<string, { window: number; count: number }>()
  return (account: string, nowSeconds: number, limit: number) => {
    const window = Math.floor(nowSeconds / seconds)
    let entry = used.get(account)
    if (entry === undefined || entry.window !== window)
      used.set(account, (entry = { window, count: 0 }))
    const allowed = entry.count < limit
    if (allowed) entry.count++
    return { allowed, remaining: limit - entry.count, reset: (window + 1) * seconds }
  }
}
