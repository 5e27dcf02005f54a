/** The public names of @petstore/http-adapter/client, written by hand. */
export type { Answered, Deprecated, RateLimit } from "./Answered.js"
export { type Detailed, type PetStoreClient, petStoreClient } from "./petStoreClient.js"
export { isPetStoreError, NoAnswer, PetStoreError, UnexpectedAnswer } from "./PetStoreError.js"
export type { EventsOptions, Followed, FollowEvents } from "./followEvents.js"
export type { ShopChange, ShopEvent } from "../contract/ShopEvent.js"
export type { ClientOptions } from "./sendPatiently.js"
export {
  type ClientAnswer,
  type ClientCall,
  type FetchOptions,
  fetchTransport,
  type Transport,
  webTransport
} from "./Transport.js"
export { retryAfterMs } from "../fields/retryAfter.js"
export type { ErrorCode } from "../contract/ErrorStatus.js"
