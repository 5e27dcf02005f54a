/** The dates of the deprecated operation. */
import { GET_PET_LIFECYCLE, type ServiceOptions } from "@petstore/http-adapter"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"

export type LifecycleOptions = {
  /** Undefined for the dates of the contract. */
  readonly deprecatedMs: number | undefined
  readonly sunsetMs: number | undefined
  readonly lifecycle: "announce" | "enforce"
}

export type Lifecycle = Pick<ServiceOptions, "afterSunset" | "lifecycles">

export const lifecycleSettings = ({
  deprecatedMs = GET_PET_LIFECYCLE.deprecatedMs,
  sunsetMs = GET_PET_LIFECYCLE.sunsetMs,
  lifecycle
}: LifecycleOptions): Effect.Effect<Lifecycle, CommandFailed> =>
  sunsetMs < deprecatedMs
    ? CommandFailed.usage("the date of --sunset is before that of --deprecated")
    : Effect.succeed({
        afterSunset: lifecycle,
        lifecycles: { getPet: { ...GET_PET_LIFECYCLE, deprecatedMs, sunsetMs } }
      })
