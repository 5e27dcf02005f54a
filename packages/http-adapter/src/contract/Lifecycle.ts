/** Annotation of an operation that will be removed. */
import * as Context from "effect/Context"

/** When an operation is deprecated, when it may be removed, and its successor. */
export type LifecyclePlan = {
  /** When its deprecation begins (RFC 9745); may be in the future. */
  readonly deprecatedMs: number
  /** When it may stop answering (RFC 8594); not before `deprecatedMs`. */
  readonly sunsetMs: number
  /** The path of the successor below the base path; `{…}` stands for the path parameter. */
  readonly successor: string
  /** The path of an explanation below the base path. */
  readonly docs: string
}

/** The annotation of an operation that will be removed. */
export class Lifecycle extends Context.Tag("@petstore/http-adapter/Lifecycle")<
  Lifecycle,
  LifecyclePlan
>() {}
