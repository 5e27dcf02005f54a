/**
 * The order every index has, whatever the backend: null first, then integers by size, false before
 * true, texts by code point.
 */
import { codePointKey } from "../../value/Text.js"
import type { Value } from "./Collection.js"

/**
 * Negative, zero or positive as `left` stands before, at or behind `right`: null first, integers by
 * size, false before true, texts by code point.
 */
export const compareValues = (left: Value, right: Value): number => {
  if (left === right) return 0
  if (left === null) return -1
  if (right === null) return 1
  if (typeof left === "string" && typeof right === "string")
    return codePointKey(left) < codePointKey(right) ? -1 : 1
  return left < right ? -1 : 1
}
