/** Identifiers: positive integers that the store assigns from 1, and never twice. */
import { integer } from "./Field.js"

/** The largest id, 2^53 − 1: the largest integer that JavaScript and JSON represent exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER

/** The largest int64 is 2^63 − 1, which JavaScript rounds to this. */
export const INT64_LIMIT = 2 ** 63

/** An id as stored and returned: an integer from 1 to 2^53 − 1. */
export const Id = integer({
  expected: "a whole number from 1",
  from: 1,
  to: MAX_ID,
  format: "int64"
})

/**
 * A reference to a record in a request: any positive int64 (SPEC.md §2). No record has an id above
 * 2^53 − 1, so such a reference is well formed and unknown. It is never rounded to another id.
 */
export const Reference = integer({
  expected: "a whole number from 1",
  from: 1,
  to: INT64_LIMIT,
  format: "int64"
})

/** Whether a record with this id could exist. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id >= 1
