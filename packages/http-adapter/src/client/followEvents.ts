/** Follows the feed of a service. Each connection goes on where the last one ended. */
import { backoffMs, type ChangeType, DEFAULT_BACKOFF, type Resync } from "@petstore/core"
import type { ShopChange, ShopEvent } from "../contract/ShopEvent.js"
import { abortWithAny } from "./CallAbort.js"
import { EventParser } from "./EventParser.js"
import { unlessAborted, withIdleTimeout } from "./withIdleTimeout.js"
import { NoAnswer, PetStoreError } from "./PetStoreError.js"
import { eventOf, failureOf } from "./readAnswer.js"
import { EVENTS } from "../contract/routes.js"
import {
  type ClientOptions,
  type Failure,
  transportFailure,
  sleepByTimer,
  retryAfterSecondsOf
} from "./retry.js"
import type { ClientAnswer, ClientCall } from "./Transport.js"

/** Which events are followed, from where on, until when. */
export type EventsOptions<Type extends ChangeType = ChangeType> = {
  /**
   * Begins after this change: its sequence, 0 for all stored changes, or the `id` of an event,
   * which no other store has. Begins with the next change unless given.
   */
  readonly after?: number | string
  /** Only changes of these types. A resync comes all the same. */
  readonly types?: ReadonlyArray<Type>
  /** Ends the iteration, which then throws the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * A connection that is silent for this time, without heartbeats, is closed; 60 s unless given.
   */
  readonly silenceMs?: number
}

/** An event and its id. Use the id as `after` to go on later. */
export type FollowedEvent<Event> = Event & { readonly id: string }

/** Follows the changes of a shop, of some types or of all. */
export type FollowEvents = <Type extends ChangeType = ChangeType>(
  options?: EventsOptions<Type>
) => AsyncIterable<FollowedEvent<Extract<ShopChange, { readonly type: Type }> | Resync>>

/** Whether a reconnect may succeed: the service is busy, stopping or unreachable. */
const isTemporary = (failure: Failure): boolean =>
  failure instanceof NoAnswer || failure.status === 429 || failure.status >= 500

const targetOf = ({ after, types = [] }: EventsOptions): string => {
  const pairs = types.map((type) => `type=${encodeURIComponent(type)}`)
  if (typeof after === "number") pairs.unshift(`after=${after}`)
  return pairs.length === 0 ? EVENTS.path : `${EVENTS.path}?${pairs.join("&")}`
}

/**
 * The first connection fails as any call does, after its tries. Later ones are retried for as long
 * as somebody iterates, with growing waits; only a refusal that no wait helps is thrown. Each of
 * `signals` ends the iteration, as the signal of its options does.
 */
export const makeFollowEvents = (
  options: ClientOptions,
  signals: ReadonlyArray<AbortSignal> = []
): FollowEvents => {
  const { transport, key, tries = 5, onRetry, random = Math.random, sleep = sleepByTimer } = options
  const { nowMs = Date.now } = options
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff }

  const connect = async (call: ClientCall): Promise<Failure | AsyncIterable<string>> => {
    let answer: ClientAnswer
    try {
      answer = await transport(call)
    } catch (cause) {
      return transportFailure(cause)
    }
    const { status, chunks } = answer
    return EVENTS.statuses.includes(status) && chunks !== undefined
      ? chunks
      : failureOf(answer, nowMs())
  }

  async function* follow(
    eventsOptions: EventsOptions = {}
  ): AsyncGenerator<FollowedEvent<ShopEvent>> {
    const abort = abortWithAny([...signals, eventsOptions.signal])
    try {
      yield* followUntil(abort.signal, eventsOptions)
    } finally {
      abort.forget()
    }
  }

  async function* followUntil(
    signal: AbortSignal,
    eventsOptions: EventsOptions
  ): AsyncGenerator<FollowedEvent<ShopEvent>> {
    const { after, silenceMs = 60_000 } = eventsOptions
    let lastId = typeof after === "string" ? after : ""
    let wasConnected = false
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
      const call = {
        method: EVENTS.method,
        target: targetOf(eventsOptions),
        headers,
        body: undefined
      }
      const parser = new EventParser()
      let failure: Failure | undefined
      try {
        const stream = await unlessAborted(signal, connect({ ...call, signal: connection.signal }))
        if (stream instanceof Error) failure = stream
        else {
          wasConnected = true
          for await (const chunk of withIdleTimeout(stream, silenceMs, signal)) {
            failures = 0
            for (const { id, data } of parser.push(chunk)) {
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
      if (
        failure !== undefined &&
        (!isTemporary(failure) || (!wasConnected && failures + 1 >= tries))
      )
        throw failure
      const waitMs =
        failure === undefined && failures === 0 && parser.retryMs !== undefined
          ? parser.retryMs
          : backoffMs(++failures, retryAfterSecondsOf(failure), random, backoff)
      if (waitMs === undefined) throw failure ?? new NoAnswer(undefined)
      const code = failure instanceof PetStoreError ? failure.code : undefined
      onRetry?.({ waitMs, attempt: failures, code })
      await unlessAborted(signal, sleep(waitMs, signal))
    }
  }

  // The one cast: the service sends only the types that were asked for.
  return follow as FollowEvents
}
