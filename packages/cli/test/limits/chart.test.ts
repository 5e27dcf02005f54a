import { expect, test } from "vitest"
import { barOf, scaleOf } from "../../src/limits/chart.js"

test("a bar has a character for each request, as long as the longest fits", () => {
  const tally = { admitted: 3, refused: 2, banned: 1 }
  expect(barOf(tally, scaleOf([tally]))).toBe("███▒▒×")
})

test("a bar of many requests is cut down, and still shows the least of each kind", () => {
  const tally = { admitted: 1_000_000, refused: 1, banned: 1 }
  const bar = barOf(tally, scaleOf([tally]))
  expect(bar.length).toBeLessThan(45)
  expect(bar.endsWith("█▒×")).toBe(true)
})
