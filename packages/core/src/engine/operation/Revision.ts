/**
 * Conditional writes: the write happens only if the record is still at the revision that the caller
 * read.
 */
import * as Either from "effect/Either"
import type { Row } from "../program/Collection.js"
import type { ReadProgram } from "../program/Program.js"
import { refuse } from "../program/requests.js"
import { PreconditionFailed } from "./errors.js"
import { validateId, validateIdWith } from "./Operation.js"

/**
 * The revisions at which a write may happen. "any": the record exists, which matters where it would
 * be created; "none": it does not exist; absent: no condition. Checked inside the transaction of
 * the write.
 */
export type IfRevision = { readonly ifRevision?: number | ReadonlyArray<number> | "any" | "none" }

export function* expectRevision(
  row: Row,
  { ifRevision }: IfRevision
): ReadProgram<void, PreconditionFailed> {
  if (ifRevision === undefined || ifRevision === "any") return
  const revisions =
    typeof ifRevision === "number" ? [ifRevision] : ifRevision === "none" ? [] : ifRevision
  if (!revisions.includes(row.revision))
    yield* refuse(new PreconditionFailed({ current: row.revision }))
}

/** Validates an id, and adds the condition. */
export const validateIdIf = (id: number, condition: IfRevision = {}) =>
  Either.map(validateId(id), (input) => [input, condition] as const)

/** Validates an id, and adds another validated value and the condition. */
export const validateIdWithIf = <A, E>(
  id: number,
  beside: Either.Either<A, E>,
  condition: IfRevision
) => Either.map(validateIdWith(id, beside), ([input, given]) => [input, given, condition] as const)
