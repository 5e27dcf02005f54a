/** Answers an exchange with the header fields of every API response and those of this one. */
import { API_VERSION } from "../contract/PetStoreApi.js"
import type { EventStream } from "./EventStream.js"
import type { Exchange } from "./Exchange.js"
import { rateHeaders } from "../fields/rateHeaders.js"

export const JSON_TYPE = "application/json"
export const PROBLEM_TYPE = "application/problem+json"

/**
 * A cache may store an answer for its caller and revalidates it by its tag. Errors are not stored.
 */
const FRESHNESS = "private, no-cache"
const NO_STORE = "no-store"

/** A proxy that compresses a stream would hold events back until its buffer is full. */
const OF_STREAMS = "no-store, no-transform"

const cacheControl = ({ status, stream }: Response): string => {
  if (stream !== undefined) return OF_STREAMS
  return status < 400 ? FRESHNESS : NO_STORE
}

export type Response = {
  readonly status: number
  readonly body: string | null
  readonly type?: string
  /** Alternating names and values. */
  readonly headers?: ReadonlyArray<string>
  /** Members of the Link field. */
  readonly links?: string
  readonly stream?: EventStream
}

export const respond = (exchange: Exchange, response: Response): void => {
  if (exchange.answered) return
  exchange.answered = true
  const { operation, standing, nowMs, requestId, id } = exchange
  const { status, body, type = JSON_TYPE, headers: own, links: ownLinks = "", stream } = response
  const headers = rateHeaders(standing, nowMs)
  if (body !== null || stream !== undefined) headers.push("Content-Type", type)
  headers.push(
    "Cache-Control",
    cacheControl(response),
    "X-API-Version",
    API_VERSION,
    "X-Request-Id",
    requestId
  )
  if (exchange.replayed) headers.push("Idempotent-Replayed", "true")
  if (own !== undefined) for (const part of own) headers.push(part)
  let links = ownLinks
  if (operation !== undefined) {
    for (const part of operation.notices.headers) headers.push(part)
    const notices = operation.notices.links(id)
    if (notices !== "") links = links === "" ? notices : `${links}, ${notices}`
  }
  if (links !== "") headers.push("Link", links)
  const answer =
    stream === undefined ? { status, headers, body } : { status, headers, body, stream }
  if (exchange.observer === undefined) exchange.reply(answer)
  else exchange.observer.reply(exchange, answer)
}
