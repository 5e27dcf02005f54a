/**
 * Finds who holds a key. What was found is kept for as long as the storage can tell that nobody has touched a key or an account
 * since, so that whatever anyone does to them, in this process or another, applies to the next request.
 */
import type { Either } from "effect"
import { accountKey } from "../limit/accountKey.js"
import type { Limits } from "../limit/Plan.js"
import { RecentMap } from "../limit/RecentMap.js"
import { rangesWhere } from "../list/Selection.js"
import { andThen, type MaybePromise } from "../maybePromise.js"
import type { StorageError } from "../port/StorageError.js"
import type { Collection, Row } from "../program/Collection.js"
import { type AccountRow, accounts, type KeyRow, keys } from "../program/collections.js"
import type { ReadRequest, RefusalOf, Refuse } from "../program/Program.js"
import { get, scan } from "../program/requests.js"

/** A key that was issued, and what a request with it needs to know of the key and its account. */
export type Holder = {
  readonly keyId: number
  readonly accountId: number
  /** By what the account's requests are counted. */
  readonly caller: string
  expiresMs: number | null
  revokedMs: number | null
  disabled: boolean
  limits: Limits
  /** Of which edition of keys and accounts all this is. */
  edition: number
  /** When the key was last used, and up to when its uses are stored or about to be; 0 for never. */
  usedMs: number
  notedMs: number
}

export type KeyDirectory = {
  /** The holder of the key with this digest; undefined where no such key was issued. */
  readonly find: (digest: string) => MaybePromise<Holder | undefined | StorageError>
  /** Those that are remembered. */
  readonly holders: () => Iterable<Holder>
}

export type Read = <A, Yields extends ReadRequest | Refuse<unknown>>(
  start: () => Generator<Yields, A, unknown>
) => MaybePromise<Either.Either<A, RefusalOf<Yields> | StorageError>>

export type Records = {
  readonly read: Read
  /** The storage's; undefined where there is none to ask, and then every request is a look-up. */
  readonly edition: ((collections: ReadonlyArray<Collection<Row>>) => number) | undefined
  readonly limitsOf: (account: AccountRow) => Limits
}

/** So many keys are remembered, those that came last. Only issued keys are, so nobody can fill this with made-up ones. */
const MAX_HOLDERS = 262_144

const LOOKED_AT = [keys, accounts]
const WITH_DIGEST = rangesWhere(keys, { digest: "" })

type Found = { readonly key: KeyRow; readonly account: AccountRow }

/** One program, so that key and account are of the same moment. */
function* lookUp(digest: string) {
  for (const range of WITH_DIGEST) {
    const [key] = yield* scan(keys, { ...range, prefix: [digest] }, { limit: 1 })
    const account = key === undefined ? undefined : yield* get(accounts, key.accountId)
    if (key !== undefined && account !== undefined) return { key, account }
  }
  return undefined
}

export const makeKeyDirectory = ({ read, edition, limitsOf }: Records): KeyDirectory => {
  const byDigest = new RecentMap<string, Holder>(MAX_HOLDERS)

  const remember = ({ key, account }: Found, asOf: number): Holder => {
    const { expiresMs, revokedMs, disabled } = key
    const limits = limitsOf(account)
    const known = byDigest.get(key.digest)
    if (known !== undefined)
      return Object.assign(known, { expiresMs, revokedMs, disabled, limits, edition: asOf })
    const usedMs = key.lastUsedMs ?? 0
    const holder: Holder = {
      keyId: key.id,
      accountId: account.id,
      caller: accountKey(account.id),
      expiresMs,
      revokedMs,
      disabled,
      limits,
      edition: asOf,
      usedMs,
      notedMs: usedMs
    }
    byDigest.set(key.digest, holder)
    return holder
  }

  return {
    find: (digest) => {
      const asOf = edition === undefined ? Number.NaN : edition(LOOKED_AT)
      const known = byDigest.get(digest)
      if (known !== undefined && known.edition === asOf) return known
      return andThen(
        read(() => lookUp(digest)),
        (answer) => {
          if (answer._tag === "Left") return answer.left
          return answer.right && remember(answer.right, asOf)
        }
      )
    },
    holders: () => byDigest.values()
  }
}
