/**
 * Accounts: callers and their plans (SPEC.md §5, §8). Not part of the public interface; created in
 * the process or by the command line.
 */
import { Plan } from "./Plan.js"
import { anything } from "../../value/Field.js"
import { optional, struct } from "../../value/Struct.js"
import { Name } from "../../value/Text.js"

/**
 * A plan; `enterprise` needs both agreed numbers (1 to 2^53 − 1 requests), the other plans take
 * none.
 */
export type PlanChoice = {
  readonly plan: Plan
  /** Requests a UTC minute. */
  readonly perMinute?: number
  /** Requests a UTC day. */
  readonly perDay?: number
}

/** The members of a plan choice. `planTerms` checks their combination. */
export const PlanChoice = struct("PlanChoice", {
  plan: Plan,
  perMinute: optional(anything),
  perDay: optional(anything)
})

/** The input for a new account: a plan, and optionally a name. */
export type NewAccount = PlanChoice & {
  /** A name for people. */
  readonly name?: string
}

export const NewAccount = struct("NewAccount", {
  name: optional(Name),
  ...PlanChoice.fields
})

/** An account as callers see it. */
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
