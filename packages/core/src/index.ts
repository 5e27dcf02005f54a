/** The public names for hosts, written by hand: what no entry exports can be changed. */

// The store
export { type OpenOptions, type OpenPetStore, PetStore, type PetStoreEffects } from "./PetStore.js"
export type { PolicyOptions } from "./PolicyOptions.js"
export type { DirectApi, EffectApi, PromiseApi, TransactionApi } from "./api/Api.js"
export { NoDirectApi, StoreClosed } from "./api/errors.js"
export type { Transact } from "./api/transact.js"
export type { HostClock } from "./api/hostClock.js"
export type { Signal, WatchedSignal } from "./value/Signal.js"
export type { IfRevision } from "./engine/operation/Revision.js"

// Webhooks
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
export {
  EARLIEST_INSTANT_MS,
  formatInstant,
  LATEST_INSTANT_MS,
  parseInstant
} from "./value/Instant.js"
export { MAX_QUANTITY } from "./value/Quantity.js"
export { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from "./value/Text.js"

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
export { OrderingPolicy, type OrderingRules, type StockMove } from "./shop/order/OrderingPolicy.js"
export { StatusPolicy, type StatusTransitions } from "./shop/pet/StatusPolicy.js"
export { type Stock, statusOf } from "./shop/inventory/Stock.js"
export { Entropy } from "./access/key/Entropy.js"
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
export { categoryListing } from "./shop/category/operations.js"
export type { InventoryQuery, SetItem } from "./shop/inventory/operations.js"
export { inventoryListing } from "./shop/inventory/operations.js"
export type { OrderQuery } from "./shop/order/operations.js"
export { orderListing } from "./shop/order/operations.js"
export type { PetQuery } from "./shop/pet/operations.js"
export { petListing } from "./shop/pet/operations.js"
export type { KeyQuery } from "./access/key/operations.js"
export type { DeprecatedCallCount, DeprecatedCallsQuery } from "./access/deprecation/operations.js"
export { DEFAULT_LIMIT, MAX_LIMIT, type Page, type Paging } from "./engine/list/ListQuery.js"

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
export type { LastRefusal, Standing } from "./access/limit/Standing.js"
export type { Explanation } from "./access/limit/Explanation.js"
export type { LimitsEffects, LimitsPromises } from "./api/limits.js"
export {
  type KeyCounts,
  type Replay,
  replay,
  type AdmissionCounts,
  type TracedRequest
} from "./access/limit/replay.js"
export { backoffMs, type BackoffPolicy, DEFAULT_BACKOFF } from "./access/limit/backoff.js"

// Storages
export { DirectStorage, Storage } from "./engine/port/Storage.js"
export type { DirectStorageLayer, StorageLayer } from "./engine/port/StorageLayer.js"
export { StorageError, type StorageErrorReason } from "./engine/port/StorageError.js"
export { Usage } from "./engine/port/Usage.js"
