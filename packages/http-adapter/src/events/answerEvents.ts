/** Answers a request for the feed: reads what is asked for, finds the place to begin at, and opens a stream there. */
import {
  andThen,
  CHANGE_TYPES,
  type ChangeType,
  echo,
  type Engine,
  InvalidParameter,
  type StorageError
} from "@petstore/core"
import * as Either from "effect/Either"
import type { ReadQuery } from "../compile/QueryReader.js"
import { EVENT_STREAM_TYPE } from "../contract/events.js"
import type { Exchange } from "../exchange/Exchange.js"
import { die, refuse } from "../exchange/refuse.js"
import { respond } from "../exchange/respond.js"
import { type RequestedPosition, startPosition } from "./startPosition.js"
import type { Wanted } from "./Reader.js"
import type { Streams } from "./Streams.js"

/** Proxies that gather answers before they pass them on are asked not to. */
const HEADERS = ["X-Accel-Buffering", "no"]

const isChangeType = (type: unknown): type is ChangeType => CHANGE_TYPES.some((each) => each === type)

/** The types asked for; undefined for all. */
const typesOf = (asked: unknown): Wanted["types"] | InvalidParameter => {
  if (!Array.isArray(asked)) return undefined
  const strange: unknown = asked.find((type) => !isChangeType(type))
  return strange === undefined
    ? new Set(asked.filter(isChangeType))
    : new InvalidParameter({
        parameter: "type",
        expected: `one of ${CHANGE_TYPES.join(", ")}`,
        got: echo(strange)
      })
}

/** Of a wait, a share that differs from stream to stream: who was cut off together does not come back together. */
const spread = (serial: number): number => (serial * 0.618_033_988_75) % 1

export type AnswerEvents = (exchange: Exchange, query: ReadQuery["values"]) => void

export const makeAnswerEvents = ({ feed }: Engine, streams: Streams): AnswerEvents => {
  let serial = 0

  const begin = (
    exchange: Exchange,
    wanted: Pick<Wanted, "caller" | "types" | "generation">,
    asked: RequestedPosition,
    epoch: Either.Either<string, StorageError>,
    last: Either.Either<number, StorageError>
  ): void => {
    if (Either.isLeft(epoch)) return refuse(exchange, epoch.left)
    if (Either.isLeft(last)) return refuse(exchange, last.left)
    const refusal = streams.refusalFor(wanted.caller)
    if (refusal !== undefined) return refuse(exchange, refusal)
    const stream = streams.streamOf({
      ...wanted,
      requestId: exchange.requestId,
      epoch: epoch.right,
      last: last.right,
      place: startPosition(asked, epoch.right, last.right),
      retryMs: Math.round(exchange.settings.events.retryMs * (1 + spread(serial++) / 2))
    })
    respond(exchange, { status: 200, body: null, type: EVENT_STREAM_TYPE, headers: HEADERS, stream })
  }

  return (exchange, query) => {
    const { caller } = exchange
    const types = typesOf(query["type"])
    if (types instanceof InvalidParameter) return refuse(exchange, types)
    if (caller === undefined) return die(exchange, new Error("a stream without a caller"))
    const { after, lastEventId } = query
    const asked: RequestedPosition = {
      lastEventIdField: exchange.incoming.header("last-event-id"),
      lastEventId: typeof lastEventId === "string" ? lastEventId : undefined,
      after: typeof after === "number" || typeof after === "string" ? after : undefined
    }
    const wanted = { caller, types, generation: feed.generation() }
    const begun = andThen(feed.epoch(), (epoch) =>
      andThen(feed.last(), (last) => begin(exchange, wanted, asked, epoch, last))
    )
    if (begun instanceof Promise) begun.catch((cause: unknown) => die(exchange, cause))
  }
}
