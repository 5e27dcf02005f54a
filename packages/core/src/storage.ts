/** The public names for authors of storages: the ports, programs and collections. */

// Collections of webhooks
export {
  type WebhookAttemptRow,
  webhookAttempts,
  type WebhookOutcome,
  type WebhookRow,
  WEBHOOK_STATES,
  type WebhookState,
  webhooks
} from "./webhook/rows.js"

// The order of texts
export { codePointKey, fold, prefixEnd } from "./value/Text.js"

// Answers that may wait
export { effectOf, type MaybePromise } from "./value/maybePromise.js"

// Ports, programs and collections
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
  storedIndexes,
  type Collection,
  type Column,
  type Image,
  type ImageOf,
  type Index,
  type StoredCount,
  type NewRow,
  type Row,
  type Value,
  valueOf
} from "./engine/program/Collection.js"
export { drive } from "./engine/program/drive.js"
export { intercept } from "./engine/program/intercept.js"
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
  append,
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
