import { describe, expect, it } from "vitest"
import { LONGEST_WAIT_MS, MAX_ATTEMPTS, retryDelayMs } from "../../src/webhook/schedule.js"

const SECOND = 1_000
const HOUR = 3_600_000

describe("the retry schedule", () => {
  it("is that of Standard Webhooks where chance is in the middle: ten attempts over three days", () => {
    const delays = Array.from({ length: MAX_ATTEMPTS }, (_, at) =>
      retryDelayMs(at + 1, undefined, 0.5)
    )
    expect(delays).toEqual([
      5 * SECOND,
      300 * SECOND,
      1_800 * SECOND,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
      undefined
    ])
  })

  it("is spread by a tenth to either side", () => {
    expect(retryDelayMs(1, undefined, 0)).toBe(4_500)
    expect(retryDelayMs(1, undefined, 0.999999)).toBe(5_500)
  })

  it("waits for as long as the receiver asks, but no longer than a day", () => {
    expect(retryDelayMs(1, 60_000, 0)).toBe(60_000)
    expect(retryDelayMs(2, 1_000, 0.5)).toBe(300_000)
    expect(retryDelayMs(1, 30 * 24 * HOUR, 0.5)).toBe(LONGEST_WAIT_MS)
  })

  it("gives up after the last attempt, whatever the receiver asks", () =>
    expect(retryDelayMs(MAX_ATTEMPTS, 60_000, 0.5)).toBeUndefined())
})
