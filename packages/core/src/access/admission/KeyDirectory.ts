/**
 * Finds who holds a key. What was found is kept for as long as the storage can tell that nobody has touched a key or an account
 * since, so that whatever anyone does to them, in this process or another, applies to the next request.
 */
import { hexOf } from "../key/Sha256.js"
import type { Limits } from "../account/Plan.js"
import { RecentMap } from "../limit/RecentMap.js"
import { rangesWhere } from "../../engine/list/Selection.js"
import { andThen, type MaybePromise } from "../../value/maybePromise.js"
import type { Read } from "../../engine/port/Runner.js"
import type { StorageError } from "../../engine/port/StorageError.js"
import type { Collection, Row } from "../../engine/program/Collection.js"
import { type AccountRow, accounts } from "../account/rows.js"
import { keys } from "../key/rows.js"
import { get, scan } from "../../engine/program/requests.js"
import { type Found, Holder } from "./Holder.js"

export type KeyDirectory = {
  /** The holder of the key with this digest, which may be overwritten afterwards; undefined where no such key was issued. */
  readonly find: (digest: Int32Array) => MaybePromise<Holder | undefined | StorageError>
  /** Those that are remembered. */
  readonly holders: () => Iterable<Holder>
}

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
  // By the first word of the digest, which V8 finds several times faster than a text. Two keys that share it, one pair in
  // a hundred thousand keys, take turns in being looked up.
  const byFirstWord = new RecentMap<number, Holder>(MAX_HOLDERS)

  const remember = (digest: Int32Array, found: Found, asOf: number): Holder => {
    const limits = limitsOf(found.account)
    const [first = 0] = digest
    const known = byFirstWord.get(first)
    if (known?.isOf(digest) === true) {
      known.update(found.key, limits, asOf)
      return known
    }
    const holder = new Holder(digest, found, limits, asOf)
    byFirstWord.set(first, holder)
    return holder
  }

  return {
    find: (digest) => {
      const asOf = edition === undefined ? Number.NaN : edition(LOOKED_AT)
      const known = byFirstWord.get(digest[0] ?? 0)
      if (known !== undefined && known.edition === asOf && known.isOf(digest)) return known
      const kept = digest.slice()
      const hex = hexOf(kept)
      return andThen(
        read(() => lookUp(hex)),
        (answer) => {
          if (answer._tag === "Left") return answer.left
          return answer.right && remember(kept, answer.right, asOf)
        }
      )
    },
    holders: () => byFirstWord.values()
  }
}
