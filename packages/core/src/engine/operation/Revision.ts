/** Conditional changes: make the change only if the record is still as the caller saw it. */
import * as Either from "effect/Either"
import type { Row } from "../program/Collection.js"
import type { ReadProgram } from "../program/Program.js"
import { refuse } from "../program/requests.js"
import { PreconditionFailed } from "./errors.js"
import { validateId, validateIdWith } from "./Operation.js"

/**
 * The revisions at which a change may be made. "any" asks that there is a record, which matters
 * where one would be made; "none" that there is none; absent asks nothing. Checked inside the
 * write, so nothing comes between.
 */
export type IfRevision = { readonly ifRevision?: number | ReadonlyArray<number> | "any" | "none" }

export function* expectRevision(row: Row, { ifRevision }: IfRevision): ReadProgram<void, PreconditionFailed> {
  if (ifRevision === undefined || ifRevision === "any") return
  const revisions = typeof ifRevision === "number" ? [ifRevision] : ifRevision === "none" ? [] : ifRevision
  if (!revisions.includes(row.revision)) yield* refuse(new PreconditionFailed({ current: row.revision }))
}

/** Validates an id, and takes at which revisions the change may be made. */
export const validateIdIf = (id: number, condition: IfRevision = {}) =>
  Either.map(validateId(id), (input) => [input, condition] as const)

/**
 * Validates an id, takes another validated value, and at which revisions the change may be made.
 */
export const validateIdWithIf = <A, E>(id: number, beside: Either.Either<A, E>, condition: IfRevision) =>
  Either.map(validateIdWith(id, beside), ([input, given]) => [input, given, condition] as const)
