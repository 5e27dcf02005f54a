/** The public names of @petstore/core, written by hand: what is not here can be changed. */

// The store
export {
  type OpenOptions,
  type OpenPetStore,
  PetStore,
  type PetStoreEffects
} from "./PetStore.js"
export type { PolicyOptions } from "./PolicyOptions.js"
export type { Engine } from "./Engine.js"
export type { DirectFace, EffectFace, PromiseFace, TransactionFace } from "./face/Face.js"
export { NoDirectFace, StoreClosed } from "./face/Refusals.js"
export type { Transact } from "./face/transact.js"
export type { HostClock } from "./face/hostClock.js"
export type { Signal, WatchedSignal } from "./face/signal.js"
export { onAbort } from "./face/onAbort.js"
export type { Origin } from "./shop/Origin.js"
export type { ReadOperation, WriteOperation } from "./shop/Operation.js"
export type { Policies, Shop } from "./shop/Shop.js"
export type { IfRevision } from "./shop/Revision.js"

// Webhooks
export type { WebhookDesk } from "./webhook/Desk.js"
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
export { NothingToReplay, NoWebhookSecret, TooManyReplays } from "./webhook/Refusals.js"
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
export type { Category, CategoryPatch, NewCategory } from "./record/Category.js"
export type { Account, NewAccount, PlanChoice } from "./record/Account.js"
export type {
  ApiKey,
  IssuedKey,
  KeyEnd,
  KeyEndInput,
  KeyRotation,
  KeyRotationInput,
  NewKey,
  NewKeyInput
} from "./record/ApiKey.js"
export type { InventoryItem, InventoryUpdate } from "./record/InventoryItem.js"
export type { NewOrder, NewOrderInput, Order, OrderPatch, OrderPatchInput } from "./record/Order.js"
export type { NewPet, Pet, PetPatch } from "./record/Pet.js"
export { PET_STATUSES, type PetStatus } from "./record/PetStatus.js"
export { INT64_LIMIT, isId, MAX_ID } from "./record/Id.js"
export {
  EARLIEST_INSTANT_MS,
  formatInstant,
  instantProblem,
  LATEST_INSTANT_MS,
  parseInstant,
  readInstant
} from "./record/Instant.js"
export { MAX_QUANTITY } from "./record/Quantity.js"
export { codePointKey, fold, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, prefixEnd } from "./record/Text.js"
export type { Decoder } from "./record/Decoder.js"
export { echo } from "./record/echo.js"
export type { Part } from "./record/Part.js"

// Why something is refused
export {
  CategoryInUse,
  InvalidParameter,
  type Issue,
  NotFound,
  PetInUse,
  PreconditionFailed,
  UnknownCategory,
  UnknownPet,
  ValidationFailed
} from "./record/Refusals.js"
export {
  InsufficientStock,
  InvalidTransition,
  OrderCompleted,
  StatusFollowsStock,
  StockLimitExceeded
} from "./order/Refusals.js"
export { type KeyState, keyState } from "./key/keyState.js"
export {
  ConflictingKeys,
  ExpiredKey,
  InvalidKey,
  KeyDisabled,
  MissingKey,
  ReplacedKey,
  RevokedKey
} from "./key/Refusals.js"
export { KeyBanned, RateLimited } from "./limit/Refusals.js"
export { IdempotencyMismatch } from "./idempotency/Refusals.js"

// Rules a host may replace
export { OrderingPolicy, type OrderingRules, type Taken } from "./order/OrderingPolicy.js"
export { StatusPolicy, type StatusTransitions } from "./order/StatusPolicy.js"
export { type Stock, statusOf } from "./order/Stock.js"
export { Entropy } from "./key/Entropy.js"
export { sha256 } from "./key/Sha256.js"
export { PlanTable } from "./limit/PlanTable.js"
export { BanRules } from "./limit/BanRules.js"
export { type BanPolicy, DEFAULT_BAN_POLICY } from "./limit/Ban.js"
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
} from "./limit/Plan.js"

// Lists
export type { CategoryQuery } from "./shop/categories.js"
export type { InventoryQuery, SetItem } from "./shop/inventory.js"
export type { OrderQuery } from "./shop/orders.js"
export type { PetQuery } from "./shop/pets.js"
export type { KeyQuery } from "./shop/keys.js"
export type { DeprecatedCallCount, DeprecatedCallsQuery } from "./shop/deprecatedCalls.js"
export { categoryListing } from "./shop/categories.js"
export { inventoryListing } from "./shop/inventory.js"
export { orderListing } from "./shop/orders.js"
export { petListing } from "./shop/pets.js"
export {
  DEFAULT_LIMIT,
  type Listing,
  type ListPlan,
  MAX_LIMIT,
  type Page,
  type Paging
} from "./list/ListQuery.js"
export { type Filter, MAX_FILTER_VALUES } from "./list/Filter.js"
export { orderTexts } from "./list/Order.js"

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
} from "./change/Change.js"
export { changeType } from "./change/changeType.js"
export { reenact } from "./change/reenact.js"
export type { Feed } from "./change/Feed.js"
export type { FollowOptions } from "./change/follow.js"
export {
  type ChangeRetention,
  ChangeRetentionRules,
  DEFAULT_CHANGE_RETENTION
} from "./change/Retention.js"
export type {
  ChangeOf,
  ChangePage,
  ChangesEffects,
  ChangesPromises,
  HistoryPage
} from "./face/changes.js"

// Admission
export { NO_USAGE } from "./limit/CurrentUsage.js"
export { countedApart } from "./limit/countedApart.js"
export type { Admission, AdmissionRefusal, Caller, Presented } from "./admission/Admission.js"
export type { Gate } from "./admission/Gate.js"
export { accountKey } from "./limit/accountKey.js"
export { type RateHeaders, unknownStanding, type WindowStanding } from "./limit/RateHeaders.js"
export { type LastRefusal, type Standing, standingOf } from "./limit/Standing.js"
export type { Explanation } from "./limit/Explanation.js"
export type { LimitsEffects, LimitsPromises } from "./face/limits.js"
export { type KeyTally, type Replay, replay, type Tally, type TracedRequest } from "./limit/replay.js"
export { backoffMs, type BackoffPolicy, DEFAULT_BACKOFF } from "./limit/backoff.js"
export { andThen, type MaybePromise } from "./maybePromise.js"
export { type Attempt, REMEMBERED_MS, runOnce, type Told } from "./idempotency/runOnce.js"

// For storages: ports, programs and collections
export { DirectStorage, Storage } from "./port/Storage.js"
export { type DirectStorageLayer, type StorageLayer, storageLayerOf } from "./port/StorageLayer.js"
export { StorageError, type StorageErrorReason } from "./port/StorageError.js"
export { Usage, type UsageRecord } from "./port/Usage.js"
export {
  BY_ID,
  keptIndexes,
  type Collection,
  type Column,
  type Image,
  type Index,
  type NewRow,
  type Row,
  type Value,
  valueOf
} from "./program/Collection.js"
export { drive } from "./program/drive.js"
export { compareValues } from "./program/compareValues.js"
export type {
  Append,
  Count,
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
  Trim,
  WriteRequest,
  Request,
  Scan
} from "./program/Program.js"
export { EVERY_ROW, isWrite } from "./program/Program.js"
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
} from "./program/requests.js"
export { type AccountRow, accounts, type KeyRow, keys, type KeyUseRow, keyUses } from "./admission/rows.js"
export {
  type CategoryRow,
  categories,
  type InventoryRow,
  inventory,
  type OrderRow,
  orders,
  type PetRow,
  pets
} from "./shop/rows.js"
export {
  type ChangeRow,
  changes,
  type FeedEpochRow,
  feedEpochs,
  HISTORY_INDEX,
  RECORD_COLLECTIONS
} from "./change/rows.js"
export { COLLECTIONS } from "./program/collections.js"
export { type IdempotencyRow, idempotency } from "./idempotency/rows.js"
export { type DeprecatedCallsRow, deprecatedCalls } from "./deprecation/rows.js"
