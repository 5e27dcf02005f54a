/** The public names of @petstore/core, written by hand: what is not here can be changed. */

// The store
export { type OpenOptions, type OpenPetStore, PetStore, type PetStoreEffects } from "./PetStore.js"
export type { PolicyOptions } from "./PolicyOptions.js"
export type { Engine } from "./Engine.js"
export type { DirectApi, EffectApi, PromiseApi, TransactionApi } from "./api/Api.js"
export { NoDirectApi, StoreClosed } from "./api/errors.js"
export type { Transact } from "./api/transact.js"
export type { HostClock } from "./api/hostClock.js"
export type { Signal, WatchedSignal } from "./value/Signal.js"
export { onAbort } from "./value/onAbort.js"
export type { RequestContext } from "./engine/operation/RequestContext.js"
export type { ReadOperation, WriteOperation } from "./engine/operation/Operation.js"
export type { Policies, Shop } from "./registry/Shop.js"
export type { IfRevision } from "./engine/operation/Revision.js"

// Webhooks
export type { DeliveryQueue } from "./webhook/DeliveryQueue.js"
export type { Attempted, Worker } from "./webhook/delivering.js"
export { dueMs, heldByOther, replaysOf } from "./webhook/delivering.js"
export { type AttemptResult, outcomeOf } from "./webhook/afterAttempt.js"
export { changeMessage, resyncMessage, type WebhookMessage } from "./webhook/message.js"
export { isPublicAddress } from "./webhook/publicAddress.js"
export { isPrivateHost, literalAddress, urlProblem, type UrlRules } from "./webhook/webhookUrl.js"
export {
  type WebhookOptions,
  type WebhookPolicy,
  webhookPolicy,
  WebhookRules
} from "./webhook/WebhookRules.js"
export { NothingToReplay, NoWebhookSecret, TooManyReplays } from "./webhook/errors.js"
export type { WebhookAttemptQuery } from "./webhook/operations.js"
export type {
  IssuedWebhook,
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookAttempt,
  WebhookPatch,
  WebhookReplay
} from "./webhook/Webhook.js"
export {
  type WebhookAttemptRow,
  webhookAttempts,
  type WebhookOutcome,
  type WebhookRow,
  WEBHOOK_STATES,
  type WebhookState,
  webhooks
} from "./webhook/rows.js"

// Records; as effect/Schema values they are in @petstore/core/schema
export type { Category, CategoryPatch, NewCategory } from "./shop/category/Category.js"
export type { Account, NewAccount, PlanChoice } from "./access/account/Account.js"
export type {
  ApiKey,
  IssuedKey,
  KeyEnd,
  KeyEndInput,
  KeyRotation,
  KeyRotationInput,
  NewKey,
  NewKeyInput
} from "./access/key/ApiKey.js"
export type { InventoryItem, InventoryUpdate } from "./shop/inventory/InventoryItem.js"
export type {
  NewOrder,
  NewOrderInput,
  Order,
  OrderPatch,
  OrderPatchInput
} from "./shop/order/Order.js"
export type { NewPet, Pet, PetPatch } from "./shop/pet/Pet.js"
export { PET_STATUSES, type PetStatus } from "./shop/pet/PetStatus.js"
export { INT64_LIMIT, isId, MAX_ID } from "./value/Id.js"
export {
  EARLIEST_INSTANT_MS,
  formatInstant,
  instantProblem,
  LATEST_INSTANT_MS,
  parseInstant,
  readInstant
} from "./value/Instant.js"
export { MAX_QUANTITY } from "./value/Quantity.js"
export {
  codePointKey,
  fold,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  prefixEnd
} from "./value/Text.js"
export type { Decoder } from "./value/Decoder.js"
export { echo } from "./value/echo.js"
export type { Field } from "./value/Field.js"
export { RecentMap } from "./value/RecentMap.js"

// Why something is refused
export { CategoryInUse, UnknownCategory } from "./shop/category/errors.js"
export { InvalidParameter, type Issue, ValidationFailed } from "./value/errors.js"
export { NotFound, PreconditionFailed } from "./engine/operation/errors.js"
export { PetInUse, UnknownPet } from "./shop/pet/errors.js"
export { InsufficientStock, StockLimitExceeded } from "./shop/inventory/errors.js"
export { InvalidTransition, StatusFollowsStock } from "./shop/pet/errors.js"
export { OrderCompleted } from "./shop/order/errors.js"
export { type KeyState, keyState } from "./access/key/keyState.js"
export {
  ConflictingKeys,
  ExpiredKey,
  InvalidKey,
  KeyDisabled,
  MissingKey,
  ReplacedKey,
  RevokedKey
} from "./access/key/errors.js"
export { KeyBanned, RateLimited } from "./access/limit/errors.js"
export { IdempotencyMismatch } from "./engine/idempotency/errors.js"

// Rules a host may replace
export { OrderingPolicy, type OrderingRules, type Taken } from "./shop/order/OrderingPolicy.js"
export { StatusPolicy, type StatusTransitions } from "./shop/pet/StatusPolicy.js"
export { type Stock, statusOf } from "./shop/inventory/Stock.js"
export { Entropy } from "./access/key/Entropy.js"
export { sha256 } from "./access/key/Sha256.js"
export { PlanTable } from "./access/account/PlanTable.js"
export { BanRules } from "./access/limit/BanRules.js"
export { type BanPolicy, DEFAULT_BAN_POLICY } from "./access/limit/Ban.js"
export {
  type FixedPlans,
  type Limits,
  limitsOf,
  MAX_AGREED,
  type Plan,
  PLANS,
  type PlanTerms,
  planTerms,
  SPECIFIED_PLANS
} from "./access/account/Plan.js"

// Lists
export type { CategoryQuery } from "./shop/category/operations.js"
export type { InventoryQuery, SetItem } from "./shop/inventory/operations.js"
export type { OrderQuery } from "./shop/order/operations.js"
export type { PetQuery } from "./shop/pet/operations.js"
export type { KeyQuery } from "./access/key/operations.js"
export type { DeprecatedCallCount, DeprecatedCallsQuery } from "./access/deprecation/operations.js"
export { categoryListing } from "./shop/category/operations.js"
export { inventoryListing } from "./shop/inventory/operations.js"
export { orderListing } from "./shop/order/operations.js"
export { petListing } from "./shop/pet/operations.js"
export {
  DEFAULT_LIMIT,
  type Listing,
  type ListPlan,
  MAX_LIMIT,
  type Page,
  type Paging
} from "./engine/list/ListQuery.js"
export { type Filter, MAX_FILTER_VALUES } from "./engine/list/Filter.js"
export { orderTexts } from "./engine/list/SortOrder.js"

// Changes
export {
  CHANGE_TYPES,
  type CategoryChange,
  type Change,
  type ChangeType,
  type InventoryChange,
  type OrderChange,
  type PetChange,
  RECORD_KINDS,
  type RecordKind,
  type Resync
} from "./shop/change/Change.js"
export { changeType, recordTypeOf } from "./shop/change/changeType.js"
export { RECORD_TYPES, type RecordGroups } from "./shop/records.js"
export type { ChangeNames, RecordType } from "./shop/RecordType.js"
export { replayChange } from "./shop/change/replayChange.js"
export type { Feed } from "./feed/Feed.js"
export type { FollowOptions } from "./feed/follow.js"
export {
  type ChangeRetention,
  ChangeRetentionRules,
  DEFAULT_CHANGE_RETENTION
} from "./shop/change/Retention.js"
export type {
  ChangeOf,
  ChangePage,
  ChangesEffects,
  ChangesPromises,
  HistoryPage
} from "./api/changes.js"

// Admission
export { NO_USAGE } from "./access/limit/CurrentUsage.js"
export { countedApart } from "./access/limit/countedApart.js"
export type {
  Admission,
  AdmissionRefusal,
  Caller,
  Presented
} from "./access/admission/Admission.js"
export type { Authenticator } from "./access/admission/Authenticator.js"
export { accountKey } from "./access/limit/accountKey.js"
export {
  type RateHeaders,
  unknownStanding,
  type WindowStanding
} from "./access/limit/RateHeaders.js"
export { type LastRefusal, type Standing, standingOf } from "./access/limit/Standing.js"
export type { Explanation } from "./access/limit/Explanation.js"
export type { LimitsEffects, LimitsPromises } from "./api/limits.js"
export {
  type KeyTally,
  type Replay,
  replay,
  type Tally,
  type TracedRequest
} from "./access/limit/replay.js"
export { backoffMs, type BackoffPolicy, DEFAULT_BACKOFF } from "./access/limit/backoff.js"
export { andThen, type MaybePromise } from "./value/maybePromise.js"
export { type Attempt, REMEMBERED_MS, runOnce, type Told } from "./engine/idempotency/runOnce.js"

// For storages: ports, programs and collections
export { type DirectPort, DirectStorage, Storage } from "./engine/port/Storage.js"
export { type Direct, withDefaultCapabilities } from "./engine/port/capabilities.js"
export {
  type DirectStorageLayer,
  type StorageLayer,
  storageLayerOf
} from "./engine/port/StorageLayer.js"
export { StorageError, type StorageErrorReason } from "./engine/port/StorageError.js"
export { Usage, type UsageRecord } from "./engine/port/Usage.js"
export {
  BY_ID,
  keptIndexes,
  type Collection,
  type Column,
  type Image,
  type ImageOf,
  type Index,
  type KeptCount,
  type NewRow,
  type Row,
  type Value,
  valueOf
} from "./engine/program/Collection.js"
export { drive } from "./engine/program/drive.js"
export { compareValues } from "./engine/program/compareValues.js"
export type {
  Count,
  DeleteBelow,
  Get,
  Insert,
  Position,
  Program,
  Put,
  Range,
  ReadProgram,
  ReadRequest,
  RefusalOf,
  Refuse,
  Remove,
  WriteRequest,
  Request,
  Scan
} from "./engine/program/Program.js"
export { EVERY_ROW, isWrite } from "./engine/program/Program.js"
export {
  count,
  find,
  get,
  insert,
  orRefuse,
  programOf,
  readProgramOf,
  refuse,
  remove,
  replace,
  scan
} from "./engine/program/requests.js"
export { type AccountRow, accounts } from "./access/account/rows.js"
export { type KeyRow, keys, type KeyUseRow, keyUses } from "./access/key/rows.js"
export { type CategoryRow, categories } from "./shop/category/rows.js"
export { type InventoryRow, inventory } from "./shop/inventory/rows.js"
export { type OrderRow, orders } from "./shop/order/rows.js"
export { type PetRow, pets } from "./shop/pet/rows.js"
export {
  type ChangeRow,
  changes,
  type FeedEpochRow,
  feedEpochs,
  HISTORY_INDEX,
  RECORD_COLLECTIONS
} from "./shop/change/rows.js"
export { Collections, COLLECTIONS } from "./registry/collections.js"
export { type IdempotencyRow, idempotency } from "./engine/idempotency/rows.js"
export { type DeprecatedCallsRow, deprecatedCalls } from "./access/deprecation/rows.js"
