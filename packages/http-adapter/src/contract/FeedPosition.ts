/** A position in the feed, as callers write it: the sequence of a change or the id of its event. */
import { parseDigits } from "./Digits.js"

/** A number is a sequence. A string is the id of an event, which also names its feed. */
export type FeedPosition = number | string

/** The id of an event: the epoch of its feed and its sequence. */
export const EVENT_ID = /^([0-9A-Za-z]+)-(0|[1-9][0-9]{0,15})$/

/** Undefined for a text that is neither a sequence nor an id. */
export const parsePosition = (text: string): FeedPosition | undefined =>
  parseDigits(text) ?? (EVENT_ID.test(text) ? text : undefined)
