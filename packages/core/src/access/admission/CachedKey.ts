/**
 * What a request needs to know of its key and account, cached in memory. Kept small, as there is
 * one for every key in use.
 */
import { accountKey } from "../limit/accountKey.js"
import type { Limits } from "../account/Plan.js"
import type { AccountRow } from "../account/rows.js"
import type { KeyRow } from "../key/rows.js"

export type Found = { readonly key: KeyRow; readonly account: AccountRow }

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
  // The directory is indexed by the first word of the digest; these are the other seven. They are
  // fields because an array needs more memory.
  readonly #b: number
  readonly #c: number
  readonly #d: number
  readonly #e: number
  readonly #f: number
  readonly #g: number
  readonly #h: number

  /** `digest` is copied. */
  constructor(digest: Int32Array, { key, account }: Found, limits: Limits, dataVersion: number) {
    const [, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = digest
    this.#b = b
    this.#c = c
    this.#d = d
    this.#e = e
    this.#f = f
    this.#g = g
    this.#h = h
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

  /** Whether this is the key with this digest. Compares the 224 bits after the first word. */
  isOf(digest: Int32Array): boolean {
    return (
      this.#b === digest[1] &&
      this.#c === digest[2] &&
      this.#d === digest[3] &&
      this.#e === digest[4] &&
      this.#f === digest[5] &&
      this.#g === digest[6] &&
      this.#h === digest[7]
    )
  }
}
