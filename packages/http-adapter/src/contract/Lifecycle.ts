/** Annotation of an operation: when it is deprecated, when it goes, and where to go instead. Unmarked operations stay. */
import * as Context from "effect/Context"

/** From when on an operation is deprecated, and from when on it may be gone. */
export type LifecyclePlan = {
  /** From when on its use is discouraged (RFC 9745). May lie ahead: then it is announced. */
  readonly deprecatedMs: number
  /** From when on it may stop answering (RFC 8594); never before `deprecatedMs`. */
  readonly sunsetMs: number
  /** What to call instead, as a path below the base path; `{…}` stands for the path parameter. */
  readonly successor: string
  /** Where the change is explained, as a path below the base path. */
  readonly docs: string
}

/** The annotation of an operation that is going to go. */
export class Lifecycle extends Context.Tag("@petstore/http-adapter/Lifecycle")<Lifecycle, LifecyclePlan>() {}
