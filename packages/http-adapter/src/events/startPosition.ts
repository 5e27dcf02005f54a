/** Where a stream begins, by what a caller says it has seen. */
import { EVENT_ID, type FeedPosition, parsePosition } from "../contract/FeedPosition.js"

/** What a caller says in the three fields that may; an empty text says nothing. */
export type RequestedPosition = {
  /** The header field, which `EventSource` sends by itself. */
  readonly lastEventIdField: string | undefined
  /** The same in the query, from polyfills that send no header fields. */
  readonly lastEventId: string | undefined
  /** Where the page has asked to begin, which it may go on to say when it comes back. */
  readonly after: FeedPosition | undefined
}

/** What counts: where a caller was last, rather than where it began. */
const askedOf = ({ lastEventIdField, lastEventId, after }: RequestedPosition): FeedPosition | undefined => {
  if (lastEventIdField !== undefined && lastEventIdField !== "") return lastEventIdField
  // Whatever stands there: a polyfill would send the same again, and give up at a refusal.
  if (lastEventId !== undefined && lastEventId !== "") return parsePosition(lastEventId) ?? lastEventId
  return after
}

/**
 * After which change, or undefined where the caller names no place of this feed: another store's, or garbage. That is no error, as a
 * browser would send the same again for ever. `last` is the newest change: without a place a stream begins there.
 */
export const startPosition = (asked: RequestedPosition, epoch: string, last: number): number | undefined => {
  const place = askedOf(asked) ?? last
  if (typeof place === "number") return place
  const [, ofEpoch, sequence] = EVENT_ID.exec(place) ?? []
  return ofEpoch === epoch ? Number(sequence) : undefined
}
