/**
 * Reads the Idempotency-Key of a request and the digest that makes a repetition the same request.
 */
import { type IfRevision, InvalidParameter } from "@petstore/core"
import { type Attempt, echo, sha256 } from "@petstore/core/adapter"
import type { Operation } from "../compile/Operation.js"
import type { Exchange } from "../exchange/Exchange.js"

const VISIBLE = /^[!-~]{1,255}$/

/**
 * Undefined without the field and for GET. A key is scoped to the account, the operation and the
 * record. The digest covers the decoded body and the condition, so white space makes no difference.
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
