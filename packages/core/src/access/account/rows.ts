/** The stored form of accounts. */
import type { Plan } from "./Plan.js"
import { NotFound } from "../../engine/operation/errors.js"
import type { Collection } from "../../engine/program/Collection.js"
import { instant, optionalInteger, text } from "../../engine/program/columns.js"

/** The stored form of an account. */
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

export const accountNotFound = (id: number): NotFound => new NotFound({ kind: "account", id })

/** The callers and their plans. */
export const accounts: Collection<AccountRow> = {
  name: "accounts",
  key: "assigned",
  columns: {
    name: text,
    plan: text,
    perMinute: optionalInteger,
    perDay: optionalInteger,
    createdMs: instant
  },
  indexes: []
}
