/**
 * The order of every index on every backend: null first, then integers by size, false before true,
 * texts by code point.
 */
import { codePointKey } from "../../value/Text.js"
import type { Value } from "./Collection.js"

/** Negative if `left` sorts before `right`, positive if after, 0 if they are equal. */
export const compareValues = (left: Value, right: Value): number => {
  if (left === right) return 0
  if (left === null) return -1
  if (right === null) return 1
  if (typeof left === "string" && typeof right === "string")
    return codePointKey(left) < codePointKey(right) ? -1 : 1
  return left < right ? -1 : 1
}
