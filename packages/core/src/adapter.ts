/** The public names for adapters: operations as data, admission, the feed, idempotency. */

// The engine and its operations
export type { Engine } from "./Engine.js"
export { onAbort } from "./value/onAbort.js"
export type { RequestContext } from "./engine/operation/RequestContext.js"
export type { ReadOperation, WriteOperation } from "./engine/operation/Operation.js"
export type { Policies, Shop } from "./registry/Shop.js"

// Deliveries of webhooks
export type { DeliveryQueue } from "./webhook/DeliveryQueue.js"
export type { AttemptReport, Worker } from "./webhook/delivering.js"
export { dueMs, heldByOther, replaysOf } from "./webhook/delivering.js"
export { type AttemptResult, outcomeOf } from "./webhook/afterAttempt.js"
export { changeMessage, resyncMessage, type WebhookMessage } from "./webhook/message.js"
export { isPublicAddress } from "./webhook/publicAddress.js"
export { isPrivateHost, literalAddress, urlProblem, type UrlRules } from "./webhook/webhookUrl.js"

// Values
export { INT64_LIMIT, isId, MAX_ID } from "./value/Id.js"
export { instantProblem, readInstant } from "./value/Instant.js"
export type { Decoder } from "./value/Decoder.js"
export { echo } from "./value/echo.js"
export type { Field } from "./value/Field.js"
export { RecentMap } from "./value/RecentMap.js"

// Hashes
export { sha256 } from "./access/key/Sha256.js"

// Lists
export type { Listing, ListPlan } from "./engine/list/ListQuery.js"
export { type Filter, MAX_FILTER_VALUES } from "./engine/list/Filter.js"
export { orderTexts } from "./engine/list/SortOrder.js"

// Changes
export { changeType, recordTypeOf } from "./shop/change/changeType.js"
export { RECORD_GROUPS, RECORD_TYPES, type RecordGroups } from "./shop/records.js"
export type { ChangeNames, RecordType } from "./shop/RecordType.js"
export { replayChange } from "./shop/change/replayChange.js"
export type { Feed } from "./feed/Feed.js"

// Admission and idempotency
export { NO_USAGE } from "./access/limit/CurrentUsage.js"
export { mergeUsage } from "./access/limit/mergeUsage.js"
export type {
  Admission,
  AdmissionRefusal,
  Caller,
  PresentedCredentials
} from "./access/admission/Admission.js"
export type { Authenticator } from "./access/admission/Authenticator.js"
export { accountKey } from "./access/limit/accountKey.js"
export {
  type RateHeaders,
  unknownStanding,
  type WindowStanding
} from "./access/limit/RateHeaders.js"
export { standingOf } from "./access/limit/Standing.js"
export { andThen, isPromise, type MaybePromise, orElse } from "./value/maybePromise.js"
export {
  type Attempt,
  REMEMBERED_MS,
  runOnce,
  type IdempotentResponse
} from "./engine/idempotency/runOnce.js"
