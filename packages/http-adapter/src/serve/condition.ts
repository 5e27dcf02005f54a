/** Reads If-Match and If-None-Match of a change as the condition it is made on. */
import { type IfRevision, InvalidParameter } from "@petstore/core"
import { echo } from "@petstore/core/adapter"
import type { Operation } from "../compile/Operation.js"
import { PreconditionRequired } from "../contract/errors.js"
import type { Exchange } from "../exchange/Exchange.js"
import { IF_MATCH, revisionsIn } from "../fields/EntityTag.js"

const UNCONDITIONAL: IfRevision = {}
const IF_PRESENT: IfRevision = { ifRevision: "any" }
const IF_ABSENT: IfRevision = { ifRevision: "none" }
const NEVER: IfRevision = { ifRevision: [] }

/**
 * `If-Match: *` asks for any revision of a record that exists (RFC 9110 §13.1.1), `If-None-Match:
 * *` for no record (§13.1.2). A malformed If-Match is refused: its caller does not mean to
 * overwrite.
 */
export const conditionOf = (
  { incoming, id, settings }: Exchange,
  { method }: Operation
): IfRevision | InvalidParameter | PreconditionRequired => {
  if (method === "GET" || id === undefined) return UNCONDITIONAL
  const field = incoming.header("if-match")
  const isForNew = incoming.header("if-none-match")?.trim() === "*"
  if (field === undefined) {
    if (isForNew) return IF_ABSENT
    return settings.requireConditions ? new PreconditionRequired() : UNCONDITIONAL
  }
  if (!IF_MATCH.test(field)) {
    return new InvalidParameter({
      parameter: "If-Match",
      expected: 'entity tags such as "1-1", or *',
      got: echo(field)
    })
  }
  if (isForNew) return NEVER
  if (field === "*") return IF_PRESENT
  return { ifRevision: revisionsIn(field, id) }
}
