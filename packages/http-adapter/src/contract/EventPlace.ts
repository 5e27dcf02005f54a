/** A place in the feed of changes, as callers name it: the sequence of a change, or the id of its event. */
import { parseDigits } from "./Digits.js"

/** After the change with this sequence, of whatever feed there is; or after the event with this id, of the feed that it is of. */
export type EventPlace = number | string

/** The id of an event: the epoch of its feed, and its sequence. */
export const EVENT_ID = /^([0-9A-Za-z]+)-(0|[1-9][0-9]{0,15})$/

/** The place that a text names, or undefined where it is neither a sequence nor an id. */
export const readPlace = (text: string): EventPlace | undefined =>
  parseDigits(text) ?? (EVENT_ID.test(text) ? text : undefined)
