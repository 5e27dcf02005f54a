/** The client for Effect programs, derived from the contract: typed queries, bodies, answers and error payloads. */
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { PetStoreApi } from "../contract/PetStoreApi.js"

/** Where the service is, and who calls. */
export type EffectClientOptions = {
  /** Where the service is, base path included. */
  readonly baseUrl: string
  /** The API key. */
  readonly key: string
}

/**
 * Needs an `HttpClient`. Groups and operations are the contract's: `client.pets.listPets({ urlParams: { limit: 5 } })`. Fails with
 * `{ code, message, status }` of the codes that the operation has; `withResponse: true` gives the header fields as well.
 */
export const petStoreEffectClient = ({ baseUrl, key }: EffectClientOptions) =>
  HttpApiClient.make(PetStoreApi, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", key))
  })
