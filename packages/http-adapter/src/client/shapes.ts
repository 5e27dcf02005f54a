/**
 * Checks that an answer is a record of its operation. Accepts further members and any string as a
 * status, since a later version may add some.
 */
import type { ShopEvent } from "../contract/ShopEvent.js"
import { type MemberType, RECORD_MEMBERS } from "../contract/routes.js"

type Is = (value: unknown) => boolean

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isText: Is = (value) => typeof value === "string"
const isBoolean: Is = (value) => typeof value === "boolean"
const isNumber: Is = Number.isSafeInteger
const absentOr =
  (is: Is): Is =>
  (value) =>
    value === undefined || is(value)

const CHECKS: { readonly [Type in MemberType]: Is } = {
  number: isNumber,
  text: isText,
  boolean: isBoolean,
  "number?": absentOr(isNumber),
  "text?": absentOr(isText),
  "boolean?": absentOr(isBoolean)
}

const hasMembers = (members: Readonly<Record<string, MemberType>>): Is => {
  const checks = Object.entries(members).map(([name, type]) => [name, CHECKS[type]] as const)
  return (value) => isObject(value) && checks.every(([name, is]) => is(value[name]))
}

/** Whether a value is an event, of any type: a later version may add some. */
export const isEvent = (value: unknown): value is ShopEvent =>
  isObject(value) && isNumber(value["sequence"]) && isText(value["type"])

/** Whether a value is a record of the group. */
export const isRecordOf = (group: keyof typeof RECORD_MEMBERS): Is =>
  hasMembers(RECORD_MEMBERS[group])
