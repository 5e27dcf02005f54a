/** API keys as they are stored, and when they were last used. */
import type { Collection } from "../../engine/program/Collection.js"
import { text, integer, boolean, optionalInteger, reference } from "../../engine/program/columns.js"

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
  idOf: "keys",
  columns: { usedMs: integer },
  indexes: []
}
