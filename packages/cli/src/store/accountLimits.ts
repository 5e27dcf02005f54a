/** The limits that are in force for an account. */
import { type Account, type Limits, limitsOf, SPECIFIED_PLANS } from "@petstore/core"

export const accountLimits = ({ plan, perMinute, perDay }: Account): Limits =>
  limitsOf({ plan, perMinute: perMinute ?? null, perDay: perDay ?? null }, SPECIFIED_PLANS)
