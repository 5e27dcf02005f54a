/** Events as bytes (HTML standard, §9.2.6): an id, a type and one line of JSON. */
import type { Change, Resync } from "@petstore/core"

const encoder = new TextEncoder()

/** The id of an event names its feed and its position in it. */
export const eventId = (epoch: string, sequence: number): string => `${epoch}-${sequence}`

/** Lists the members, so that no internal member is sent. JSON leaves out undefined ones. */
const dataOf = (event: Change | Resync): string => {
  if (event.type === "resync") return JSON.stringify({ sequence: event.sequence, type: event.type })
  const { sequence, type, at, recordId, revision, record } = event
  return JSON.stringify({ sequence, type, at, recordId, revision, record })
}

/** JSON text has no line breaks. */
export const eventBytes = (epoch: string, event: Change | Resync): Uint8Array =>
  encoder.encode(
    `id: ${eventId(epoch, event.sequence)}\nevent: ${event.type}\ndata: ${dataOf(event)}\n\n`
  )

/**
 * The retry time, and the id of the position where the stream begins: a reader that is cut off
 * before the first event misses none. Without an id a resync comes first, also after a reconnect.
 */
export const openingBytes = (retryMs: number, id: string | undefined): Uint8Array =>
  encoder.encode(`retry: ${retryMs}\n${id === undefined ? "" : `id: ${id}\n`}\n`)

/** An empty comment. */
export const HEARTBEAT = encoder.encode(":\n\n")

/** An empty comment and an id, for a position past changes that the reader's filter left out. */
export const positionBytes = (id: string): Uint8Array => encoder.encode(`:\nid: ${id}\n\n`)

/** A comment for people who read the stream. */
export const commentBytes = (comment: string): Uint8Array => encoder.encode(`: ${comment}\n\n`)
