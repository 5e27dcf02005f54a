/** Whether a request may be a repetition of an earlier one: its Idempotency-Key, and what makes it the same request. */
import { type Attempt, echo, type IfRevision, InvalidParameter, sha256 } from "@petstore/core"
import type { Operation } from "../compile/Operation.js"
import type { Exchange } from "../exchange/Exchange.js"

const VISIBLE = /^[!-~]{1,255}$/

/**
 * Undefined without the field, and for methods that change nothing. Keys are apart by account, operation and record. What has
 * to be equal besides is what was asked, as decoded, and the condition it was asked on; white space and the order of members make no difference.
 */
export const attemptOf = (
  { incoming, caller, id, nowMs }: Exchange,
  { id: operation, method }: Operation,
  body: unknown,
  condition: IfRevision
): Attempt | InvalidParameter | undefined => {
  if (method === "GET") return undefined
  const key = incoming.header("idempotency-key")
  if (key === undefined || caller === undefined) return undefined
  if (!VISIBLE.test(key)) {
    return new InvalidParameter({
      parameter: "Idempotency-Key",
      expected: "1 to 255 visible characters of ASCII, once",
      got: echo(key)
    })
  }
  return {
    scope: sha256(`${caller.accountId} ${operation} ${id ?? ""} ${key}`),
    fingerprint: sha256(JSON.stringify([body ?? null, condition.ifRevision ?? null])),
    nowMs
  }
}
