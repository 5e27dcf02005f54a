/** The stored form of API keys, and of their last uses. */
import { type Collection, collectionOf } from "../../engine/program/Collection.js"
import { accounts, accountNotFound } from "../account/rows.js"
import { boolean, instant, optionalInstant, reference, text } from "../../engine/program/columns.js"

/** The stored form of an API key: its digest, never the key. */
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
export const keys = collectionOf<KeyRow>()({
  name: "keys",
  key: "assigned",
  columns: {
    accountId: reference(accounts, accountNotFound),
    name: text,
    digest: text,
    start: text,
    createdMs: instant,
    expiresMs: optionalInstant,
    revokedMs: optionalInstant,
    disabled: boolean
  },
  indexes: [
    { name: "account", on: ["accountId"], sort: "id" },
    { name: "digest", on: ["digest"], sort: "id" }
  ]
})

/** The last use of a key. Stored apart from the keys, so that a use does not write a key. */
export type KeyUseRow = {
  /** The key's id. */
  readonly id: number
  readonly revision: number
  /** Exact to the minute. */
  readonly usedMs: number
}

/** The last uses of keys, by the key's id. */
export const keyUses: Collection<KeyUseRow> = {
  name: "keyUses",
  key: "given",
  idOf: keys,
  columns: { usedMs: instant },
  indexes: []
}
