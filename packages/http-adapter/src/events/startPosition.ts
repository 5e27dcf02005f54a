/** Decides where a stream begins. */
import { EVENT_ID, type FeedPosition, parsePosition } from "../contract/FeedPosition.js"

/** The position in each field that may have one. An empty text counts as absent. */
export type RequestedPosition = {
  /** The header field, which `EventSource` sends when it reconnects. */
  readonly lastEventIdField: string | undefined
  /** The same in the query, from polyfills that send no header fields. */
  readonly lastEventId: string | undefined
  /** Where the page asked to begin. It is sent with each reconnect as well. */
  readonly after: FeedPosition | undefined
}

/** The id of the last event counts more than where the stream began. */
const latestOf = (requested: RequestedPosition): FeedPosition | undefined => {
  const { lastEventIdField, lastEventId, after } = requested
  if (lastEventIdField !== undefined && lastEventIdField !== "") return lastEventIdField
  // Not refused if malformed: a polyfill would send the same again and give up.
  if (lastEventId !== undefined && lastEventId !== "")
    return parsePosition(lastEventId) ?? lastEventId
  return after
}

/**
 * The sequence to begin after: `last`, the newest change, unless requested otherwise. Undefined for
 * a position in another feed or a malformed one. That is no error: a browser would repeat it for
 * ever.
 */
export const startPosition = (
  requested: RequestedPosition,
  epoch: string,
  last: number
): number | undefined => {
  const position = latestOf(requested) ?? last
  if (typeof position === "number") return position
  const [, ofEpoch, sequence] = EVENT_ID.exec(position) ?? []
  return ofEpoch === epoch ? Number(sequence) : undefined
}
