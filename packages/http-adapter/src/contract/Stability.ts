/** Annotation of an operation: how far callers can rely on it staying as it is. Stable unless marked. */
import * as Context from "effect/Context"

/** `beta` may still change, with notice; `experimental` may change or go without, and is only served to who opts in. */
export type StabilityLevel = "stable" | "beta" | "experimental"

/** The annotation of an operation that may still change. */
export class Stability extends Context.Tag("@petstore/http-adapter/Stability")<Stability, StabilityLevel>() {}
