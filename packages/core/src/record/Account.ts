/** Accounts: who calls, on which plan (SPEC.md §5, §8). Not part of the public interface; issued in process or by the CLI. */
import * as Schema from "effect/Schema"
import { Plan } from "../limit/Plan.js"
import { Name } from "./Text.js"

/** A plan; `enterprise` needs both agreed numbers (1 to 10^12 requests), the other plans take none. */
export type PlanChoice = {
  readonly plan: Plan
  /** Requests a UTC minute. */
  readonly perMinute?: number
  /** Requests a UTC day. */
  readonly perDay?: number
}

/** The members of a plan choice; which go together is for `planTerms` to say. */
export const PlanChoice = Schema.Struct({
  plan: Plan,
  perMinute: Schema.optionalWith(Schema.Unknown, { exact: true }),
  perDay: Schema.optionalWith(Schema.Unknown, { exact: true })
})

export type NewAccount = PlanChoice & {
  /** For people to tell accounts apart. */
  readonly name?: string
}

export const NewAccount = Schema.Struct({
  name: Schema.optionalWith(Name, { exact: true }),
  ...PlanChoice.fields
})

export type Account = {
  readonly id: number
  readonly name: string
  readonly plan: Plan
  /** The agreed numbers, on the enterprise plan. */
  readonly perMinute?: number
  readonly perDay?: number
  /** RFC 3339, UTC. */
  readonly createdAt: string
}
