/** What can be done with API keys. A key's text leaves these operations once, when it is made, and is stored nowhere. */
import { Either } from "effect"
import type { ListPlan } from "../list/ListQuery.js"
import { type Listing, type Paging, planList, runList } from "../list/ListQuery.js"
import { refersTo } from "../list/Filter.js"
import { keyStart, keyText } from "../key/KeyText.js"
import { sha256 } from "../key/Sha256.js"
import { type KeyRow, keys } from "../program/collections.js"
import type { ReadProgram } from "../program/Program.js"
import { find, insert, replace } from "../program/requests.js"
import { type ApiKey, type IssuedKey, NewKey, type NewKeyInput } from "../record/ApiKey.js"
import { decoder, echo } from "../record/Decoder.js"
import { formatInstant } from "../record/Instant.js"
import { NotFound, ValidationFailed } from "../record/Refusals.js"
import { findAccount } from "./accounts.js"
import { acceptId, read, write } from "./Operation.js"
import { showPage } from "./pets.js"

/** Which keys a list has. */
export type KeyQuery = Paging<"id"> & {
  /** Only keys of this account. */
  readonly accountId?: number
}

const keyListing: Listing<KeyRow> = {
  collection: keys,
  filters: { accountId: refersTo("accountId") },
  sorts: { id: "id" }
}

export const showKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  accountId: row.accountId,
  name: row.name,
  start: row.start,
  createdAt: formatInstant(row.createdMs),
  ...(row.expiresMs === null ? {} : { expiresAt: formatInstant(row.expiresMs) }),
  ...(row.revokedMs === null ? {} : { revokedAt: formatInstant(row.revokedMs) }),
  disabled: row.disabled
})

type Issued = { readonly row: KeyRow; readonly text: string }

const showIssued = ({ row, text }: Issued): IssuedKey => ({ ...showKey(row), key: text })

const acceptNewKey = decoder(NewKey)
const acceptQuery = planList(keyListing)

const findKey = (id: number): ReadProgram<KeyRow, NotFound> =>
  find(keys, id, () => new NotFound({ kind: "key", id }))

function* store(text: string, nowMs: number, fields: Pick<KeyRow, "accountId" | "name" | "expiresMs">) {
  const digest = sha256(text)
  const row = yield* insert(keys, {
    ...fields,
    digest,
    start: keyStart(text),
    createdMs: nowMs,
    revokedMs: null,
    disabled: false
  })
  return { row, text }
}

function* setDisabled(id: number, disabled: boolean) {
  return yield* replace(keys, yield* findKey(id), { disabled })
}

/** `randomBytes(n)` gives n bytes nobody can foresee; keys are made from them. */
export const keyOperations = (randomBytes: (count: number) => Uint8Array) => ({
  /** Makes a key for an account. Refused: `NotFound` for the account. */
  create: write({
    accept: (accountId: number, key: NewKeyInput = {}) =>
      Either.flatMap(acceptId(accountId), (id) =>
        Either.map(acceptNewKey(key), (asked) => [id, asked, keyText(randomBytes)] as const)
      ),
    *program(origin, accountId: number, asked: NewKey, text: string) {
      const account = yield* findAccount(accountId)
      const { name = "", expiresAt = null } = asked
      return yield* store(text, origin.nowMs, { accountId: account.id, name, expiresMs: expiresAt })
    },
    show: showIssued
  }),

  /** One key. Refused: `NotFound`. */
  get: read({
    accept: (id: number) => Either.map(acceptId(id), (asked) => [asked] as const),
    program: (_origin, id: number) => findKey(id),
    show: showKey
  }),

  /** A page of keys. Refused: `InvalidParameter`. */
  list: read({
    accept: (query: KeyQuery = {}) => Either.map(acceptQuery(query), (plan) => [plan] as const),
    program: (_origin, plan: ListPlan) => runList(keyListing, plan),
    show: showPage(showKey)
  }),

  /**
   * Replaces a key by a new one of the same account, name and end; the account's counters stay. The old key works for
   * `overlapMs` more (0 unless given). Refused: `NotFound`.
   */
  rotate: write({
    accept: (id: number, { overlapMs = 0 }: { readonly overlapMs?: number } = {}) =>
      Either.flatMap(acceptId(id), (asked) =>
        Number.isSafeInteger(overlapMs) && overlapMs >= 0
          ? Either.right([asked, overlapMs, keyText(randomBytes)] as const)
          : Either.left(
              new ValidationFailed({
                issues: [{ field: "overlapMs", expected: "milliseconds from 0", got: echo(overlapMs) }]
              })
            )
      ),
    *program(origin, id: number, overlapMs: number, text: string) {
      const old = yield* findKey(id)
      const endMs = origin.nowMs + overlapMs
      yield* replace(keys, old, {
        revokedMs: old.revokedMs === null ? endMs : Math.min(old.revokedMs, endMs)
      })
      return yield* store(text, origin.nowMs, {
        accountId: old.accountId,
        name: old.name,
        expiresMs: old.expiresMs
      })
    },
    show: showIssued
  }),

  /** Ends a key for good, from its next request on. Refused: `NotFound`. */
  revoke: write({
    accept: (id: number) => Either.map(acceptId(id), (asked) => [asked] as const),
    *program(origin, id: number) {
      const key = yield* findKey(id)
      const revokedMs = key.revokedMs === null ? origin.nowMs : Math.min(key.revokedMs, origin.nowMs)
      return yield* replace(keys, key, { revokedMs })
    },
    show: showKey
  }),

  /** Switches a key off until it is enabled again. Refused: `NotFound`. */
  disable: write({
    accept: (id: number) => Either.map(acceptId(id), (asked) => [asked] as const),
    program: (_origin, id: number) => setDisabled(id, true),
    show: showKey
  }),

  /** Switches a disabled key on. Refused: `NotFound`. */
  enable: write({
    accept: (id: number) => Either.map(acceptId(id), (asked) => [asked] as const),
    program: (_origin, id: number) => setDisabled(id, false),
    show: showKey
  })
})
