/**
 * The client for Effect programs, derived from the contract: typed queries, bodies, answers and
 * error payloads.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type { ChangeType, Resync } from "@petstore/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { RecordsApi } from "../contract/PetStoreApi.js"
import type { ShopChange } from "../contract/ShopEvent.js"
import { type EventsOptions, type FollowedEvent, makeFollowEvents } from "./followEvents.js"
import { httpClientTransport } from "./httpClientTransport.js"
import { isRedirect, NoAnswer, PetStoreError, UnexpectedAnswer } from "./PetStoreError.js"

/** The service and the caller. */
export type EffectClientOptions = {
  /** The URL of the service, with its base path. */
  readonly baseUrl: string
  /** The API key. */
  readonly key: string
}

const failureOf = (cause: unknown): PetStoreError | UnexpectedAnswer | NoAnswer =>
  cause instanceof PetStoreError || cause instanceof UnexpectedAnswer || cause instanceof NoAnswer
    ? cause
    : new NoAnswer(cause)

/** Iterates until the scope closes. An interruption does not wait for the next event. */
const iterate = <A>(start: (signal: AbortSignal) => AsyncIterable<A>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const abort = new AbortController()
        return { abort, iterator: start(abort.signal)[Symbol.asyncIterator]() }
      }),
      ({ abort, iterator }) =>
        Effect.sync(() => {
          abort.abort()
          iterator.return?.().catch(() => undefined)
        })
    ),
    ({ iterator }) => iterator
  )

/** Keeps `fetch` from following redirects. Other `HttpClient`s follow none by default. */
const withoutRedirects = HttpClient.transformResponse(
  <E, R>(response: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
    Effect.flatMap(Effect.serviceOption(FetchHttpClient.RequestInit), (own) =>
      Effect.provideService(response, FetchHttpClient.RequestInit, {
        ...Option.getOrUndefined(own),
        redirect: "manual"
      })
    )
)

/** Fails for a redirect. */
const refuseRedirect = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<HttpClientResponse.HttpClientResponse, UnexpectedAnswer> =>
  isRedirect(response.status)
    ? Effect.fail(new UnexpectedAnswer(response.status, { location: response.headers["location"] }))
    : Effect.succeed(response)

/**
 * Needs an `HttpClient`. Groups and operations are those of the contract: `client.pets.listPets({
 * urlParams: { limit: 5 } })`. Fails with `{ code, message, status }` for the codes of the
 * operation, and with `UnexpectedAnswer` for a redirect, which is not followed. `withResponse:
 * true` returns the header fields as well. Provide a `FetchHttpClient.RequestInit` of your own to
 * the program: one that is provided to `FetchHttpClient.layer` alone is not used.
 *
 * `client.events()` is a `Stream` of the shop's changes. It reconnects by itself and fails as the
 * client for promises does.
 */
export const petStoreEffectClient = ({ baseUrl, key }: EffectClientOptions) =>
  Effect.gen(function* () {
    const client = withoutRedirects(yield* HttpClient.HttpClient)
    const runtime = yield* Effect.runtime()
    const records = yield* HttpApiClient.makeWith(RecordsApi, {
      baseUrl,
      httpClient: client.pipe(
        HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", key)),
        HttpClient.transformResponse(Effect.flatMap(refuseRedirect))
      )
    })
    const follow = makeFollowEvents({
      transport: httpClientTransport(client, runtime, baseUrl),
      key
    })
    const events = <Type extends ChangeType = ChangeType>(
      options: Omit<EventsOptions<Type>, "signal"> = {}
    ): Stream.Stream<
      FollowedEvent<Extract<ShopChange, { readonly type: Type }> | Resync>,
      PetStoreError | UnexpectedAnswer | NoAnswer
    > =>
      Stream.unwrapScoped(
        Effect.map(
          iterate((signal) => follow({ ...options, signal })),
          (iterator) => {
            const next = Effect.tryPromise({
              try: () => iterator.next(),
              catch: (cause) => Option.some(failureOf(cause))
            })
            return Stream.repeatEffectOption(
              Effect.flatMap(next, (step) =>
                step.done === true ? Effect.fail(Option.none()) : Effect.succeed(step.value)
              )
            )
          }
        )
      )
    return { ...records, events }
  })
