/** Follows the feed of a service: one connection after the other, each going on where the last one ended. */
import { backoffMs, type ChangeType, DEFAULT_BACKOFF, type Resync } from "@petstore/core"
import type { ShopChange, ShopEvent } from "../contract/ShopEvent.js"
import { endOfAny } from "./CallEnd.js"
import { EventParser } from "./EventParser.js"
import { withIdleTimeout, unless } from "./withIdleTimeout.js"
import { NoAnswer, PetStoreError } from "./PetStoreError.js"
import { eventOf, failureOf } from "./readAnswer.js"
import { EVENTS } from "./routes.js"
import {
  type ClientOptions,
  type Failure,
  transportFailure,
  sleepForReal,
  retryAfterSecondsOf
} from "./retry.js"
import type { ClientAnswer, ClientCall } from "./Transport.js"

/** Which events are followed, from where on, and until when. */
export type EventsOptions<Type extends ChangeType = ChangeType> = {
  /**
   * Begins after this change: its sequence, 0 for all that is kept, or the `id` of an event, which is another store's nowhere else. Without it: with the
   * next change there is.
   */
  readonly after?: number | string
  /** Only changes of these types; a resync is told to everybody. */
  readonly types?: ReadonlyArray<Type>
  /** Ends the iteration, which then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** A connection on which nothing comes for so long, no sign of life either, is given up; a minute unless given. */
  readonly silenceMs?: number
}

/** An event, and its id: hand it in as `after` to go on later. */
export type FollowedEvent<Event> = Event & { readonly id: string }

/** Follows the changes of a shop, of some types or of all. */
export type FollowEvents = <Type extends ChangeType = ChangeType>(
  options?: EventsOptions<Type>
) => AsyncIterable<FollowedEvent<Extract<ShopChange, { readonly type: Type }> | Resync>>

/** A service that is busy, is about to stop or is not there comes back, be it behind a proxy that says so. */
const mayPass = (failure: Failure): boolean =>
  failure instanceof NoAnswer || failure.status === 429 || failure.status >= 500

const targetOf = ({ after, types = [] }: EventsOptions): string => {
  const pairs = types.map((type) => `type=${encodeURIComponent(type)}`)
  if (typeof after === "number") pairs.unshift(`after=${after}`)
  return pairs.length === 0 ? EVENTS.path : `${EVENTS.path}?${pairs.join("&")}`
}

/**
 * The first connection fails as any call does, after its tries. Once there was one, others are tried
 * for as long as anybody iterates, with waits that double; only a refusal that no waiting mends is
 * thrown. Each of `signals` ends the iteration, as the signal of its options does.
 */
export const makeFollowEvents = (
  options: ClientOptions,
  signals: ReadonlyArray<AbortSignal> = []
): FollowEvents => {
  const { transport, key, tries = 5, onRetry, random = Math.random, sleep = sleepForReal } = options
  const { nowMs = Date.now } = options
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff }

  const connect = async (call: ClientCall): Promise<Failure | AsyncIterable<string>> => {
    let answer: ClientAnswer
    try {
      answer = await transport(call)
    } catch (cause) {
      return transportFailure(cause)
    }
    const { status, pieces } = answer
    return EVENTS.statuses.includes(status) && pieces !== undefined ? pieces : failureOf(answer, nowMs())
  }

  async function* follow(asked: EventsOptions = {}): AsyncGenerator<FollowedEvent<ShopEvent>> {
    const end = endOfAny([...signals, asked.signal])
    try {
      yield* followUntil(end.signal, asked)
    } finally {
      end.forget()
    }
  }

  async function* followUntil(
    signal: AbortSignal,
    asked: EventsOptions
  ): AsyncGenerator<FollowedEvent<ShopEvent>> {
    const { after, silenceMs = 60_000 } = asked
    let lastId = typeof after === "string" ? after : ""
    let wasThere = false
    let failures = 0
    for (;;) {
      signal.throwIfAborted()
      const connection = new AbortController()
      const headers: Record<string, string> = {
        "x-api-key": key,
        "x-api-version": "1",
        "x-stability-opt-in": "experimental",
        accept: "text/event-stream"
      }
      if (lastId !== "") headers["last-event-id"] = lastId
      const call = { method: EVENTS.method, target: targetOf(asked), headers, body: undefined }
      const parser = new EventParser()
      let failure: Failure | undefined
      try {
        const found = await unless(signal, connect({ ...call, signal: connection.signal }))
        if (found instanceof Error) failure = found
        else {
          wasThere = true
          for await (const piece of withIdleTimeout(found, silenceMs, signal)) {
            failures = 0
            for (const { id, data } of parser.push(piece)) {
              lastId = id === "" ? lastId : id
              if (data === undefined) continue
              yield { ...eventOf(data), id: lastId }
              signal.throwIfAborted()
            }
          }
        }
      } finally {
        connection.abort()
      }
      if (failure !== undefined && (!mayPass(failure) || (!wasThere && failures + 1 >= tries))) throw failure
      const waitMs =
        failure === undefined && failures === 0 && parser.retryMs !== undefined
          ? parser.retryMs
          : backoffMs(++failures, retryAfterSecondsOf(failure), random, backoff)
      if (waitMs === undefined) throw failure ?? new NoAnswer(undefined)
      const code = failure instanceof PetStoreError ? failure.code : undefined
      onRetry?.({ waitMs, attempt: failures, code })
      await unless(signal, sleep(waitMs, signal))
    }
  }

  // The one cast: the service sends what it is asked for.
  return follow as FollowEvents
}
