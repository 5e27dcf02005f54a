import { readFileSync } from "node:fs"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import {
  limitsOf,
  MAX_AGREED,
  planTerms,
  SPECIFIED_PLANS
} from "../../../src/access/account/Plan.js"

const verdict = (asked: Parameters<typeof planTerms>[0]): unknown =>
  Either.match(planTerms(asked), {
    onLeft: (refusal) => refusal.message,
    onRight: (terms) => terms
  })

describe("planTerms", () => {
  it("the plans of the specification come without numbers", () => {
    for (const plan of ["free", "pro", "business"] as const) {
      expect(verdict({ plan })).toEqual({ plan, perMinute: null, perDay: null })
      expect(verdict({ plan, perMinute: null })).toEqual({ plan, perMinute: null, perDay: null })
      expect(verdict({ plan, perDay: 5 })).toContain(
        `perDay: expected nothing, since the plan ${plan} has fixed numbers`
      )
    }
  })

  it("enterprise comes with both, kept exactly", () => {
    const terms = { plan: "enterprise", perMinute: 1, perDay: 10 ** 12 }
    expect(verdict(terms)).toEqual(terms)
    expect(verdict({ ...terms, perMinute: Number.MAX_SAFE_INTEGER })).toMatchObject({
      perMinute: 2 ** 53 - 1
    })
  })

  it.each([undefined, null, 0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, "60", {}])(
    "enterprise refuses %j",
    (bad) => {
      expect(verdict({ plan: "enterprise", perMinute: bad, perDay: 1 })).toMatch(
        /^perMinute: expected a whole number from 1/
      )
      expect(verdict({ plan: "enterprise", perMinute: bad, perDay: bad })).toContain("perDay: ")
    }
  )

  it("there is no other plan", () => {
    expect(verdict({ plan: "gold" })).toBe(
      'plan: expected one of free, pro, business, enterprise, got "gold"'
    )
    expect(verdict({ plan: "__proto__" })).toContain("plan: ")
  })
})

describe("limitsOf", () => {
  it("gives the plan's numbers, or those agreed", () => {
    expect(limitsOf({ plan: "pro", perMinute: null, perDay: null }, SPECIFIED_PLANS)).toEqual({
      perMinute: 300,
      perDay: 10_000
    })
    expect(limitsOf({ plan: "enterprise", perMinute: 7, perDay: 9 }, SPECIFIED_PLANS)).toEqual({
      perMinute: 7,
      perDay: 9
    })
  })
})

it("the largest number that can be agreed is the same in the code, its comments and the documentation", () => {
  expect(MAX_AGREED).toBe(2 ** 53 - 1)
  for (const path of ["../../../src/access/account/Account.ts", "../../../../../docs/limits.md"]) {
    const text = readFileSync(new URL(path, import.meta.url), "utf8")
    expect(text).toContain("1 to 2^53 − 1")
  }
})
