/**
 * The fixed plans in force: those of the specification (SPEC.md §8) unless a host provides others.
 */
import * as Context from "effect/Context"
import { type FixedPlans, SPECIFIED_PLANS } from "./Plan.js"

/** The limits of the plans with fixed numbers; `SPECIFIED_PLANS` unless provided. */
export class PlanTable extends Context.Reference<PlanTable>()("@petstore/core/PlanTable", {
  defaultValue: (): FixedPlans => SPECIFIED_PLANS
}) {}
