/** Answers a request for the feed with a stream from the requested position. */
import { CHANGE_TYPES, type ChangeType, InvalidParameter, type StorageError } from "@petstore/core"
import { andThen, echo, type Engine, orElse } from "@petstore/core/adapter"
import * as Either from "effect/Either"
import type { ReadQuery } from "../compile/QueryReader.js"
import { EVENT_STREAM_TYPE } from "../contract/events.js"
import type { Exchange } from "../exchange/Exchange.js"
import { die, refuse } from "../exchange/refuse.js"
import { respond } from "../exchange/respond.js"
import { type RequestedPosition, startPosition } from "./startPosition.js"
import type { Subscription } from "./Reader.js"
import type { Streams } from "./Streams.js"

/** Keeps proxies from buffering the stream. */
const HEADERS = ["X-Accel-Buffering", "no"]

const isChangeType = (type: unknown): type is ChangeType =>
  CHANGE_TYPES.some((each) => each === type)

/** The requested types; undefined for all. */
const typesOf = (types: unknown): Subscription["types"] | InvalidParameter => {
  if (!Array.isArray(types)) return undefined
  const unknown: unknown = types.find((type) => !isChangeType(type))
  return unknown === undefined
    ? new Set(types.filter(isChangeType))
    : new InvalidParameter({
        parameter: "type",
        expected: `one of ${CHANGE_TYPES.join(", ")}`,
        got: echo(unknown)
      })
}

/** From 0 to 1, another one for each stream: readers that were cut off together reconnect apart. */
const spread = (serial: number): number => (serial * 0.618_033_988_75) % 1

export type AnswerEvents = (exchange: Exchange, query: ReadQuery["values"]) => void

export const makeAnswerEvents = ({ feed }: Engine, streams: Streams): AnswerEvents => {
  let serial = 0

  const begin = (
    exchange: Exchange,
    subscription: Pick<Subscription, "caller" | "types" | "generation">,
    requested: RequestedPosition,
    epoch: Either.Either<string, StorageError>,
    last: Either.Either<number, StorageError>
  ): void => {
    if (Either.isLeft(epoch)) return refuse(exchange, epoch.left)
    if (Either.isLeft(last)) return refuse(exchange, last.left)
    const refusal = streams.refusalFor(subscription.caller)
    if (refusal !== undefined) return refuse(exchange, refusal)
    const stream = streams.streamOf({
      ...subscription,
      requestId: exchange.requestId,
      epoch: epoch.right,
      last: last.right,
      start: startPosition(requested, epoch.right, last.right),
      retryMs: Math.round(exchange.settings.events.retryMs * (1 + spread(serial++) / 2))
    })
    respond(exchange, {
      status: 200,
      body: null,
      type: EVENT_STREAM_TYPE,
      headers: HEADERS,
      stream
    })
  }

  return (exchange, query) => {
    const { caller } = exchange
    const types = typesOf(query["type"])
    if (types instanceof InvalidParameter) return refuse(exchange, types)
    if (caller === undefined) return die(exchange, new Error("a stream without a caller"))
    const { after, lastEventId } = query
    const requested: RequestedPosition = {
      lastEventIdField: exchange.incoming.header("last-event-id"),
      lastEventId: typeof lastEventId === "string" ? lastEventId : undefined,
      after: typeof after === "number" || typeof after === "string" ? after : undefined
    }
    const subscription = { caller, types, generation: feed.generation() }
    void orElse(
      () =>
        andThen(feed.epoch(), (epoch) =>
          andThen(feed.last(), (last) => begin(exchange, subscription, requested, epoch, last))
        ),
      (cause) => die(exchange, cause)
    )
  }
}
