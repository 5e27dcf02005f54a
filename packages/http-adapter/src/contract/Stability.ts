/** Annotation of an operation: whether it may still change. Stable unless marked. */
import * as Context from "effect/Context"

/**
 * `beta` may still change, with notice; `experimental` may change or go without notice and needs an
 * opt-in.
 */
export type StabilityLevel = "stable" | "beta" | "experimental"

/** The annotation of an operation that may still change. */
export class Stability extends Context.Tag("@petstore/http-adapter/Stability")<
  Stability,
  StabilityLevel
>() {}
