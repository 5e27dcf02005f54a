/** The plan options of the command line. */
import { type PlanChoice, planTerms } from "@petstore/core"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { CommandFailed } from "../CommandFailed.js"
import { refusalFailure } from "./attempt.js"

export type PlanOptions = {
  readonly plan: string
  readonly perMinute: number | undefined
  readonly perDay: number | undefined
}

/** Fails for an unknown plan, and for limits that are missing or not allowed. */
export const planChoice = (options: PlanOptions): Effect.Effect<PlanChoice, CommandFailed> =>
  Either.match(planTerms(options), {
    onLeft: (refusal) => Effect.fail(refusalFailure(refusal)),
    onRight: ({ plan, perMinute, perDay }) =>
      Effect.succeed({
        plan,
        ...(perMinute === null ? {} : { perMinute }),
        ...(perDay === null ? {} : { perDay })
      })
  })
