/** Plans: how many requests an account may make a minute and a day (SPEC.md §8). */
import { Schema } from "effect"

export const PLANS = ["free", "pro", "business", "enterprise"] as const

export const Plan = Schema.Literal(...PLANS)
export type Plan = typeof Plan.Type

/** Requests allowed in one UTC minute and in one UTC day. */
export type Limits = { readonly perMinute: number; readonly perDay: number }

/** The plans with fixed numbers; `enterprise` has its numbers on the account. */
export type FixedPlans = { readonly [P in Exclude<Plan, "enterprise">]: Limits }

export const SPECIFIED_PLANS: FixedPlans = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 }
}
