/** Tags of records (RFC 9110 §8.8.3): id and revision, strong, the same for every caller. */
import { echo, type IfRevision, InvalidParameter } from "@petstore/core"
import { PreconditionRequired } from "../contract/Refusals.js"
import type { Operation } from "../compile/Operation.js"
import type { Exchange } from "./Exchange.js"

export const entityTag = (id: number, revision: number): string => `"${id}-${revision}"`

/** RFC 9110 §13.1.1: `*`, or tags with commas between them. */
const IF_MATCH = /^(?:\*|(?:W\/)?"[!#-~\u0080-\u00ff]*"(?: *, *(?:W\/)?"[!#-~\u0080-\u00ff]*")*)$/

/** What a tag has at its end where the body is encoded: strong tags of different bytes differ (RFC 9110 §8.8.3.3). */
const CODED = /-(?:br|gzip)$/

/** The tag of the same record, with its body in this coding. */
export const codedTag = (tag: string, coding: string): string => `${tag.slice(0, -1)}-${coding}"`

const EACH_TAG = /(W\/)?"([^"]*)"/g

/** The revisions of this record that an If-Match names by strong tags; what is no tag of this record is met by none. */
const revisionsOf = (field: string, id: number): ReadonlyArray<number> => {
  const revisions: Array<number> = []
  for (const [, weak, text = ""] of field.matchAll(EACH_TAG)) {
    const [, own, revision] = /^([1-9]\d{0,15})-([1-9]\d{0,15})$/.exec(text.replace(CODED, "")) ?? []
    if (weak === undefined && Number(own) === id) revisions.push(Number(revision))
  }
  return revisions
}

const UNCONDITIONAL: IfRevision = {}
const IF_THERE: IfRevision = { ifRevision: "any" }
const IF_NOT_THERE: IfRevision = { ifRevision: "none" }
const NEVER: IfRevision = { ifRevision: [] }

/**
 * The condition a change is made on. `*` asks for any revision, so for a record that is there (RFC 9110 §13.1.1). What is no
 * list of tags is refused: a caller that gets it wrong does not mean to overwrite. `If-None-Match: *` asks that there is none (§13.1.2).
 */
export const conditionOf = (
  { incoming, id, settings }: Exchange,
  { method }: Operation
): IfRevision | InvalidParameter | PreconditionRequired => {
  if (method === "GET" || id === undefined) return UNCONDITIONAL
  const field = incoming.header("if-match")
  const isToBeMade = incoming.header("if-none-match")?.trim() === "*"
  if (field === undefined) {
    if (isToBeMade) return IF_NOT_THERE
    return settings.requireConditions ? new PreconditionRequired() : UNCONDITIONAL
  }
  if (!IF_MATCH.test(field)) {
    return new InvalidParameter({
      parameter: "If-Match",
      expected: 'entity tags such as "1-1", or *',
      got: echo(field)
    })
  }
  if (isToBeMade) return NEVER
  if (field === "*") return IF_THERE
  return { ifRevision: revisionsOf(field, id) }
}

/**
 * This tag as an If-None-Match names it, so possibly that of its encoded form, which the caller then has; undefined where it does
 * not. Weak and strong tags are equal here (RFC 9110 §13.1.2).
 */
export const namedTag = (field: string, tag: string): string | undefined => {
  if (field === tag || field.trim() === "*") return tag
  for (const [, , text = ""] of field.matchAll(EACH_TAG)) {
    if (`"${text.replace(CODED, "")}"` === tag) return `"${text}"`
  }
  return undefined
}
