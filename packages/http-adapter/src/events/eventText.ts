/** Events as bytes (HTML standard, §9.2.6): each is an id, a type and one line of JSON. */
import type { Change, Resync } from "@petstore/core"

const encoder = new TextEncoder()

/** An id names a place in the feed of one store: after this change. */
export const eventId = (epoch: string, sequence: number): string => `${epoch}-${sequence}`

/** Member by member, so that nothing of a change gets out that is not meant to; what is undefined is left out by JSON. */
const dataOf = (event: Change | Resync): string => {
  if (event.type === "resync") return JSON.stringify({ sequence: event.sequence, type: event.type })
  const { sequence, type, at, recordId, revision, record } = event
  return JSON.stringify({ sequence, type, at, recordId, revision, record })
}

/** JSON has no line breaks, so the data is one line. */
export const eventBytes = (epoch: string, event: Change | Resync): Uint8Array =>
  encoder.encode(`id: ${eventId(epoch, event.sequence)}\nevent: ${event.type}\ndata: ${dataOf(event)}\n\n`)

/**
 * How soon to come back, and the place the stream begins at, so that who is cut off before the first event misses none. Without a place
 * where a resync comes first: who is cut off before that shall come back to it.
 */
export const openingBytes = (retryMs: number, id: string | undefined): Uint8Array =>
  encoder.encode(`retry: ${retryMs}\n${id === undefined ? "" : `id: ${id}\n`}\n`)

/** A sign of life. */
export const HEARTBEAT = encoder.encode(":\n\n")

/** A sign of life that moves the reader's place past what its filter has left out. */
export const placeBytes = (id: string): Uint8Array => encoder.encode(`:\nid: ${id}\n\n`)

/** A remark for people who look at the stream. */
export const commentBytes = (comment: string): Uint8Array => encoder.encode(`: ${comment}\n\n`)
