/**
 * The operations on API keys. The text of a key is returned once, when it is created, and stored
 * nowhere.
 */
import * as Either from "effect/Either"
import type { ListPlan } from "../../engine/list/ListQuery.js"
import { type Listing, type Paging, planList, runList } from "../../engine/list/ListQuery.js"
import { refersTo } from "../../engine/list/Filter.js"
import { ReplacedKey } from "./errors.js"
import { keyText } from "./KeyText.js"
import { type KeyRow, keys } from "./rows.js"
import { changeKey, findKey, issueKey, setDisabled, unended, withUse } from "./storedKeys.js"
import { orRefuse, refuse } from "../../engine/program/requests.js"
import { replaceRow } from "../../engine/program/rows.js"
import {
  KeyEnd,
  type KeyEndInput,
  KeyRotation,
  type KeyRotationInput,
  NewKey,
  type NewKeyInput
} from "./ApiKey.js"
import { decoder } from "../../value/Decoder.js"
import { validateIdAlone, validateIdWith, read, write } from "../../engine/operation/Operation.js"
import { presentPage } from "../../engine/operation/readList.js"
import { type KnownKey, presentWithText, presentKey } from "./presentKey.js"

/** The filters of a list of keys. */
export type KeyQuery = Paging<"id"> & {
  /** Only keys of this account. */
  readonly accountId?: number
}

const keyListing: Listing<KeyRow> = {
  collection: keys,
  filters: { accountId: refersTo("accountId") },
  sorts: { id: "id" }
}

const validateRotation = decoder(KeyRotation)
const validateEnd = decoder(KeyEnd)
const validateNewKey = decoder(NewKey)

const validateQuery = planList(keyListing)

/** `randomBytes(n)` returns n unpredictable bytes, from which keys are made. */
export const keyOperations = (randomBytes: (count: number) => Uint8Array) => ({
  /**
   * Creates a key for an account. Its text is returned only this once. Refused: `NotFound` for the
   * account.
   *
   * @example
   * const { key } = await store.keys.create(1, { name: "Till", expiresAt: "2027-01-01T00:00:00Z" })
   */
  create: write({
    validate: (accountId: number, key: NewKeyInput = {}) =>
      Either.map(
        validateIdWith(accountId, validateNewKey(key)),
        ([id, input]) => [id, input, keyText(randomBytes)] as const
      ),
    *program(context, accountId: number, input: NewKey, text: string) {
      const { name = "", expiresAt = null } = input
      return yield* issueKey(text, context.nowMs, {
        accountId,
        name,
        expiresMs: expiresAt,
        disabled: false
      })
    },
    present: presentWithText
  }),

  /**
   * One key. Refused: `NotFound`.
   *
   * @example
   * const { lastUsedAt } = await store.keys.get(1)
   */
  get: read({
    validate: validateIdAlone,
    *program(_context, id: number) {
      return yield* withUse(yield* findKey(id))
    },
    present: presentKey
  }),

  /**
   * A page of keys. Refused: `InvalidParameter`.
   *
   * @example
   * const { items } = await store.keys.list({ accountId: 1 })
   */
  list: read({
    validate: (query: KeyQuery = {}) => Either.map(validateQuery(query), (plan) => [plan] as const),
    *program(_context, plan: ListPlan) {
      const page = yield* runList(keyListing, plan)
      const items: Array<KnownKey> = []
      for (const row of page.items) items.push(yield* withUse(row))
      return { ...page, items }
    },
    present: presentPage(presentKey)
  }),

  /**
   * Replaces a key by a new one with the same account, name and expiry, disabled if the old one is.
   * The account's counts stay. The old key stays valid for `overlapMs` (0 by default, at most 366
   * days). Refused: `NotFound`; `ReplacedKey` while the key still overlaps with its replacement;
   * `RevokedKey` and `ExpiredKey`, in which case use `create`.
   *
   * @example
   * const { key } = await store.keys.rotate(1, { overlapMs: 86_400_000 })
   */
  rotate: write({
    validate: (id: number, rotation: KeyRotationInput = {}) =>
      Either.map(
        validateIdWith(id, validateRotation(rotation)),
        ([input, how]) => [input, how, keyText(randomBytes)] as const
      ),
    *program(context, id: number, { overlapMs = 0, expiresAt }: KeyRotation, text: string) {
      const old = yield* findKey(id)
      yield* orRefuse(unended(old, context.nowMs))
      if (old.revokedMs !== null) yield* refuse(new ReplacedKey({ revokedMs: old.revokedMs }))
      yield* replaceRow(keys, old, { revokedMs: context.nowMs + overlapMs })
      return yield* issueKey(text, context.nowMs, {
        accountId: old.accountId,
        name: old.name,
        expiresMs: expiresAt ?? old.expiresMs,
        disabled: old.disabled
      })
    },
    present: presentWithText
  }),

  /**
   * Sets when a key expires; null for never. A time in the past ends it now. Refused: `NotFound`.
   *
   * @example
   * await store.keys.expire(1, { expiresAt: "2027-01-01T00:00:00Z" })
   */
  expire: write({
    validate: (id: number, end: KeyEndInput) =>
      validateIdWith(
        id,
        Either.map(validateEnd(end), ({ expiresAt }) => expiresAt)
      ),
    *program(_context, id: number, expiresMs: number | null) {
      return yield* changeKey(yield* findKey(id), { expiresMs })
    },
    present: presentKey
  }),

  /**
   * Revokes a key permanently, from its next request on. Refused: `NotFound`.
   *
   * @example
   * await store.keys.revoke(1)
   */
  revoke: write({
    validate: validateIdAlone,
    *program(context, id: number) {
      const key = yield* findKey(id)
      const revokedMs =
        key.revokedMs === null ? context.nowMs : Math.min(key.revokedMs, context.nowMs)
      return yield* changeKey(key, { revokedMs })
    },
    present: presentKey
  }),

  /**
   * Disables a key until it is enabled again. Refused: `NotFound`.
   *
   * @example
   * await store.keys.disable(1)
   */
  disable: write({
    validate: validateIdAlone,
    program: (_context, id: number) => setDisabled(id, true),
    present: presentKey
  }),

  /**
   * Enables a disabled key. Refused: `NotFound`.
   *
   * @example
   * await store.keys.enable(1)
   */
  enable: write({
    validate: validateIdAlone,
    program: (_context, id: number) => setDisabled(id, false),
    present: presentKey
  })
})
