/**
 * Finds keys by their digest, with a cache. An entry is valid as long as the data version of keys
 * and accounts in the storage is the same, so a change by any process applies to the next request.
 */
import { hexOf } from "../key/Sha256.js"
import type { Limits } from "../account/Plan.js"
import { RecentMap } from "../../value/RecentMap.js"
import { rangesWhere } from "../../engine/list/Selection.js"
import { andThen, type MaybePromise } from "../../value/maybePromise.js"
import type { Read } from "../../engine/port/Runner.js"
import type { StorageError } from "../../engine/port/StorageError.js"
import type { Collection, Row } from "../../engine/program/Collection.js"
import { type AccountRow, accounts } from "../account/rows.js"
import { keys } from "../key/rows.js"
import { get, scan } from "../../engine/program/requests.js"
import { type KeyWithAccount, CachedKey } from "./CachedKey.js"

export type KeyDirectory = {
  /**
   * The key with this digest; undefined if no such key was issued. The caller may overwrite
   * `digest` afterwards.
   */
  readonly find: (digest: Int32Array) => MaybePromise<CachedKey | undefined | StorageError>
  /** Every key in the cache. */
  readonly cachedKeys: () => Iterable<CachedKey>
}

export type Records = {
  readonly read: Read
  /** The data version of collections of the storage. Undefined: every request reads the storage. */
  readonly dataVersion: ((collections: ReadonlyArray<Collection<Row>>) => number) | undefined
  readonly limitsOf: (account: AccountRow) => Limits
}

/**
 * The size of the cache, which keeps the keys used last. Only issued keys are cached, so made-up
 * keys cannot fill it.
 */
const MAX_CACHED_KEYS = 262_144

const LOOKED_AT = [keys, accounts]
const WITH_DIGEST = rangesWhere(keys, { digest: "" })

/** One program, so that key and account are read from the same state. */
function* lookUp(digest: string) {
  for (const range of WITH_DIGEST) {
    const [key] = yield* scan(keys, { ...range, prefix: [digest] }, { limit: 1 })
    const account = key === undefined ? undefined : yield* get(accounts, key.accountId)
    if (key !== undefined && account !== undefined) return { key, account }
  }
  return undefined
}

export const makeKeyDirectory = ({ read, dataVersion, limitsOf }: Records): KeyDirectory => {
  // Indexed by the first word of the digest: V8 finds a number faster than a string. Two keys that
  // share the word replace each other in the cache.
  const byFirstWord = new RecentMap<number, CachedKey>(MAX_CACHED_KEYS)

  const remember = (digest: Int32Array, record: KeyWithAccount, asOf: number): CachedKey => {
    const limits = limitsOf(record.account)
    const [first = 0] = digest
    const entry = byFirstWord.get(first)
    if (entry?.isOf(digest) === true) {
      entry.update(record.key, limits, asOf)
      return entry
    }
    const key = new CachedKey(digest, record, limits, asOf)
    byFirstWord.set(first, key)
    return key
  }

  return {
    find: (digest) => {
      const asOf = dataVersion === undefined ? Number.NaN : dataVersion(LOOKED_AT)
      const entry = byFirstWord.get(digest[0] ?? 0)
      if (entry !== undefined && entry.dataVersion === asOf && entry.isOf(digest)) return entry
      const copy = digest.slice()
      const hex = hexOf(copy)
      return andThen(
        read(() => lookUp(hex)),
        (answer) => {
          if (answer._tag === "Left") return answer.left
          return answer.right && remember(copy, answer.right, asOf)
        }
      )
    },
    cachedKeys: () => byFirstWord.values()
  }
}
