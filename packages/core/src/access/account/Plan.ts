/** Plans: how many requests an account may make a minute and a day (SPEC.md §8). */
import * as Either from "effect/Either"
import { echo } from "../../value/echo.js"
import { type ValueOf, enumeration } from "../../value/Field.js"
import { type Issue, ValidationFailed } from "../../value/errors.js"

/** The plans (SPEC.md §8), the least first. */
export const PLANS = ["free", "pro", "business", "enterprise"] as const

export const Plan = enumeration("Plan", PLANS)

/** A plan by its name. */
export type Plan = ValueOf<typeof Plan>

/** Requests allowed in one UTC minute and in one UTC day. */
export type Limits = { readonly perMinute: number; readonly perDay: number }

/** The plans with fixed numbers; `enterprise` has its numbers on the account. */
export type FixedPlans = { readonly [P in Exclude<Plan, "enterprise">]: Limits }

/** The limits of SPEC.md §8. */
export const SPECIFIED_PLANS: FixedPlans = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 }
}

/**
 * The largest number that can be agreed with an enterprise account, for either window: the largest
 * that is counted exactly.
 */
export const MAX_AGREED = Number.MAX_SAFE_INTEGER

const isAgreed = (count: unknown): count is number =>
  typeof count === "number" && Number.isInteger(count) && count >= 1 && count <= MAX_AGREED

/** Throws a RangeError if the plans of a host have a number that can't be a limit. */
export const checkedPlans = (plans: FixedPlans): FixedPlans => {
  for (const [plan, limits] of Object.entries(plans)) {
    for (const window of ["perMinute", "perDay"] as const) {
      if (isAgreed(limits[window])) continue
      throw new RangeError(
        `plans.${plan}.${window}: expected a whole number from 1 to ${MAX_AGREED}, got ` +
          echo(limits[window])
      )
    }
  }
  return plans
}

/**
 * The stored terms of an account: numbers with `enterprise`, null on the plans whose numbers are
 * fixed.
 */
export type PlanTerms = {
  readonly plan: Plan
  readonly perMinute: number | null
  readonly perDay: number | null
}

/**
 * The limits in force. Terms that {@link planTerms} refuses are never stored, so finding them is a
 * defect.
 */
export const limitsOf = (terms: PlanTerms, plans: FixedPlans): Limits => {
  if (terms.plan !== "enterprise") return plans[terms.plan]
  const { perMinute, perDay } = terms
  if (perMinute === null || perDay === null)
    throw new Error("limitsOf: an enterprise account without numbers")
  return { perMinute, perDay }
}

const isPlan = (value: unknown): value is Plan => PLANS.some((plan) => plan === value)

const agreedNumber = (
  field: "perMinute" | "perDay",
  plan: Plan,
  value: unknown
): Issue | number | null => {
  const given = value ?? null
  if (plan !== "enterprise") {
    return given === null
      ? null
      : { field, expected: `nothing, since the plan ${plan} has fixed numbers`, got: echo(given) }
  }
  return isAgreed(given)
    ? given
    : {
        field,
        expected: `a whole number from 1 to ${MAX_AGREED}, which the plan enterprise needs`,
        got: given === null ? "nothing" : echo(given)
      }
}

const isIssue = (value: Issue | number | null): value is Issue =>
  typeof value === "object" && value !== null

/**
 * The terms of a plan: `enterprise` needs both numbers, any other plan has none. Absent and null
 * are the same here.
 */
export const planTerms = (input: {
  readonly plan: unknown
  readonly perMinute?: unknown
  readonly perDay?: unknown
}): Either.Either<PlanTerms, ValidationFailed> => {
  const { plan } = input
  if (!isPlan(plan)) {
    const issue = { field: "plan", expected: `one of ${PLANS.join(", ")}`, got: echo(plan) }
    return Either.left(new ValidationFailed({ issues: [issue] }))
  }
  const perMinute = agreedNumber("perMinute", plan, input.perMinute)
  const perDay = agreedNumber("perDay", plan, input.perDay)
  return isIssue(perMinute) || isIssue(perDay)
    ? Either.left(new ValidationFailed({ issues: [perMinute, perDay].filter(isIssue) }))
    : Either.right({ plan, perMinute, perDay })
}
