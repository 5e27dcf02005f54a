/**
 * What a request needs to know of its key and account, cached in memory. Kept small, as there is
 * one for every key in use.
 */
import { accountKey } from "../limit/accountKey.js"
import type { Limits } from "../account/Plan.js"
import type { AccountRow } from "../account/rows.js"
import type { KeyRow } from "../key/rows.js"

export type KeyWithAccount = { readonly key: KeyRow; readonly account: AccountRow }

export class CachedKey {
  readonly keyId: number
  readonly accountId: number
  /** The name under which the account's requests are counted. */
  readonly caller: string
  expiresMs: number | null = null
  revokedMs: number | null = null
  disabled = false
  limits: Limits
  /** The data version of keys and accounts that this was read from. */
  dataVersion: number
  /**
   * When this process last saw the key used, and the last use that is stored or queued; 0 for
   * never.
   */
  usedMs = 0
  notedMs = 0
  readonly #digest: Int32Array

  /** `digest` is copied. */
  constructor(
    digest: Int32Array,
    { key, account }: KeyWithAccount,
    limits: Limits,
    dataVersion: number
  ) {
    this.#digest = digest.slice()
    this.keyId = key.id
    this.accountId = account.id
    this.caller = accountKey(account.id)
    this.limits = limits
    this.dataVersion = dataVersion
    this.update(key, limits, dataVersion)
  }

  update({ expiresMs, revokedMs, disabled }: KeyRow, limits: Limits, dataVersion: number): void {
    this.expiresMs = expiresMs
    this.revokedMs = revokedMs
    this.disabled = disabled
    this.limits = limits
    this.dataVersion = dataVersion
  }

  /** Whether this is the key with this digest. */
  isOf(digest: Int32Array): boolean {
    return this.#digest.every((word, at) => word === digest[at])
  }
}
