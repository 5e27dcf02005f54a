/** Where a stream begins, by what a caller says it has seen. */

/** As {@link eventId} writes it. */
const EVENT_ID = /^([0-9A-Za-z]+)-(0|[1-9]\d{0,15})$/

/**
 * After which change, or undefined where the caller names no place of this feed: another store's, or garbage. That is no error, as a
 * browser would send the same again for ever. `last` is the newest change: without a place a stream begins there.
 */
export const placeOf = (
  lastEventId: string | undefined,
  after: number | undefined,
  epoch: string,
  last: number
): number | undefined => {
  if (lastEventId === undefined || lastEventId === "") return after ?? last
  const [, ofEpoch, sequence] = EVENT_ID.exec(lastEventId) ?? []
  return ofEpoch === epoch ? Number(sequence) : undefined
}
