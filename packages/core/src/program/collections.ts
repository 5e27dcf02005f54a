/** Every kind of record there is, described once. Storages work from these descriptions. */
import { CHANGE_TYPES, type ChangeType, RECORD_KINDS, type RecordKind } from "../change/Change.js"
import { PET_STATUSES, type PetStatus } from "../record/PetStatus.js"
import { webhookAttempts, webhooks } from "../webhook/rows.js"
import type { Plan } from "../limit/Plan.js"
import type { Collection, Index } from "./Collection.js"

const text = { type: "text" } as const
const integer = { type: "integer" } as const
const boolean = { type: "boolean", values: [false, true] } as const
const optionalText = { type: "text", optional: true } as const
const optionalInteger = { type: "integer", optional: true } as const
const optionalImage = { type: "image", optional: true } as const
const reference = (references: string) => ({ type: "integer", references }) as const
const status = { type: "text", values: PET_STATUSES } as const

/** A pet as it is stored. */
export type PetRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  /** The name as it is compared when case does not count. */
  readonly foldedName: string
  readonly categoryId: number
  readonly status: PetStatus
  /** For a pet without an inventory entry: units in open orders and units sold. With an entry, the entry has them. */
  readonly onOrder: number
  readonly sold: number
}

/** The animals. */
export const pets: Collection<PetRow> = {
  name: "pets",
  key: "assigned",
  columns: {
    name: text,
    foldedName: text,
    categoryId: reference("categories"),
    status,
    onOrder: integer,
    sold: integer
  },
  indexes: [
    { name: "status", on: ["status"], sort: "id" },
    { name: "category_status", on: ["categoryId", "status"], sort: "id" },
    { name: "status_name", on: ["status"], sort: "name" },
    { name: "category_status_name", on: ["categoryId", "status"], sort: "name" },
    { name: "status_folded_name", on: ["status"], sort: "foldedName" },
    { name: "category_status_folded_name", on: ["categoryId", "status"], sort: "foldedName" }
  ]
}

/** A category as it is stored. */
export type CategoryRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly foldedName: string
  readonly description: string | null
}

/** Kinds of animals. */
export const categories: Collection<CategoryRow> = {
  name: "categories",
  key: "assigned",
  columns: { name: text, foldedName: text, description: optionalText },
  indexes: [
    { name: "name", on: [], sort: "name" },
    { name: "folded_name", on: [], sort: "foldedName" }
  ]
}

/** An order as it is stored. */
export type OrderRow = {
  readonly id: number
  readonly revision: number
  readonly petId: number | null
  readonly quantity: number | null
  readonly shipDateMs: number | null
  readonly complete: boolean
  /** Units this order keeps from sale while open, or has sold once complete. */
  readonly held: number
}

/** Orders. */
export const orders: Collection<OrderRow> = {
  name: "orders",
  key: "assigned",
  columns: {
    petId: optionalInteger,
    quantity: optionalInteger,
    shipDateMs: optionalInteger,
    complete: boolean,
    held: integer
  },
  indexes: [
    { name: "complete", on: ["complete"], sort: "id" },
    { name: "pet_complete", on: ["petId", "complete"], sort: "id" },
    { name: "complete_ship_date", on: ["complete"], sort: "shipDateMs" },
    { name: "pet_complete_ship_date", on: ["petId", "complete"], sort: "shipDateMs" }
  ]
}

/** An inventory entry as it is stored. */
export type InventoryRow = {
  /** The pet's id. */
  readonly id: number
  readonly revision: number
  readonly quantity: number
  readonly status: PetStatus
  readonly onOrder: number
  readonly sold: number
}

/** The stock of pets, by the pet's id. */
export const inventory: Collection<InventoryRow> = {
  name: "inventory",
  key: "given",
  columns: { quantity: integer, status, onOrder: integer, sold: integer },
  indexes: [
    { name: "status", on: ["status"], sort: "id" },
    { name: "status_quantity", on: ["status"], sort: "quantity" }
  ]
}

/** An account as it is stored. */
export type AccountRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly plan: Plan
  /** The agreed numbers of an enterprise account; null on the other plans. */
  readonly perMinute: number | null
  readonly perDay: number | null
  readonly createdMs: number
}

/** Who calls, on which plan. */
export const accounts: Collection<AccountRow> = {
  name: "accounts",
  key: "assigned",
  columns: {
    name: text,
    plan: text,
    perMinute: optionalInteger,
    perDay: optionalInteger,
    createdMs: integer
  },
  indexes: []
}

/** An API key as it is stored: its digest, never the key. */
export type KeyRow = {
  readonly id: number
  readonly revision: number
  readonly accountId: number
  readonly name: string
  /** SHA-256 of the key, in hexadecimal. The key itself is stored nowhere. */
  readonly digest: string
  /** The first characters of the key, for people to recognise it by. */
  readonly start: string
  readonly createdMs: number
  readonly expiresMs: number | null
  readonly revokedMs: number | null
  readonly disabled: boolean
}

/** API keys. */
export const keys: Collection<KeyRow> = {
  name: "keys",
  key: "assigned",
  columns: {
    accountId: reference("accounts"),
    name: text,
    digest: text,
    start: text,
    createdMs: integer,
    expiresMs: optionalInteger,
    revokedMs: optionalInteger,
    disabled: boolean
  },
  indexes: [
    { name: "account", on: ["accountId"], sort: "id" },
    { name: "digest", on: ["digest"], sort: "id" }
  ]
}

/** When keys were last used: apart from the keys, so that using a key changes none. */
export type KeyUseRow = {
  /** The key's id. */
  readonly id: number
  readonly revision: number
  /** To the minute. */
  readonly usedMs: number
}

/** When keys were last used, by the key's id. */
export const keyUses: Collection<KeyUseRow> = {
  name: "keyUses",
  key: "given",
  columns: { usedMs: integer },
  indexes: []
}

/** Answers to requests that carried an idempotency key. */
export type IdempotencyRow = {
  readonly id: number
  readonly revision: number
  /** Digest of who asked for what, and of the key. */
  readonly scope: string
  /** Digest of what was asked; another one under the same key is another request. */
  readonly fingerprint: string
  /** The answer, as the adapter that gave it writes it down. */
  readonly answer: string
  /** From when on it is forgotten. */
  readonly expiresMs: number
}

export const SCOPE_INDEX: Index = { name: "scope", on: ["scope"], sort: "id" }
export const EXPIRY_INDEX: Index = { name: "expiry", on: [], sort: "expiresMs" }

/** Answers that are given again to whoever repeats a request. */
export const idempotency: Collection<IdempotencyRow> = {
  name: "idempotency",
  key: "assigned",
  columns: { scope: text, fingerprint: text, answer: text, expiresMs: integer },
  indexes: [SCOPE_INDEX, EXPIRY_INDEX]
}

/** How often an account called an operation that is deprecated, on one UTC day. */
export type DeprecatedCallsRow = {
  readonly id: number
  readonly revision: number
  readonly accountId: number
  readonly operation: string
  readonly dayMs: number
  readonly calls: number
}

/** Counts of calls of what is deprecated, by account, operation and day. */
export const deprecatedCalls: Collection<DeprecatedCallsRow> = {
  name: "deprecatedCalls",
  key: "assigned",
  columns: { accountId: reference("accounts"), operation: text, dayMs: integer, calls: integer },
  indexes: [
    { name: "account", on: ["accountId"], sort: "id" },
    { name: "account_operation_day", on: ["accountId", "operation", "dayMs"], sort: "id" }
  ]
}

/** One change of one record of the shop. */
export type ChangeRow = {
  /** Its place in the feed. */
  readonly id: number
  readonly revision: number
  readonly atMs: number
  readonly type: ChangeType
  readonly kind: RecordKind
  readonly recordId: number
  readonly accountId: number | null
  readonly requestId: string | null
  /** The record's whole row; null where there was none. */
  readonly before: PetRow | CategoryRow | OrderRow | InventoryRow | null
  /** The same after the change; null where it is gone. */
  readonly after: PetRow | CategoryRow | OrderRow | InventoryRow | null
}

/** Changes by the record they are of. */
export const HISTORY_INDEX: Index = { name: "record", on: ["recordId", "kind"], sort: "id" }

/** What has happened to records, in order. */
export const changes: Collection<ChangeRow> = {
  name: "changes",
  key: "assigned",
  columns: {
    atMs: integer,
    type: { type: "text", values: CHANGE_TYPES },
    kind: { type: "text", values: RECORD_KINDS },
    recordId: integer,
    accountId: optionalInteger,
    requestId: optionalText,
    before: optionalImage,
    after: optionalImage
  },
  indexes: [HISTORY_INDEX]
}

/** What names a store's feed: one row, with the id 1, made when it is first asked for. */
export type FeedEpochRow = { readonly id: number; readonly revision: number; readonly epoch: string }

/** The name of the feed. */
export const feedEpochs: Collection<FeedEpochRow> = {
  name: "feedEpochs",
  key: "given",
  columns: { epoch: text },
  indexes: []
}

/** All collections, each after those it refers to. */
export const COLLECTIONS = [
  categories,
  pets,
  inventory,
  orders,
  accounts,
  keys,
  idempotency,
  keyUses,
  deprecatedCalls,
  webhooks,
  webhookAttempts,
  changes,
  feedEpochs
] as const
