/** All collections. Storages work from these declarations. */
import * as Context from "effect/Context"
import { accounts } from "../access/account/rows.js"
import { keys, keyUses } from "../access/key/rows.js"
import { changes, feedEpochs } from "../shop/change/rows.js"
import { deprecatedCalls } from "../access/deprecation/rows.js"
import type { Collection, Row } from "../engine/program/Collection.js"
import { idempotency } from "../engine/idempotency/rows.js"
import { RECORD_TYPES } from "../shop/records.js"
import { webhookAttempts, webhooks } from "../webhook/rows.js"

const parentsOf = ({ idOf, columns }: Collection<Row>): ReadonlyArray<Collection<Row>> =>
  Object.values(columns)
    .flatMap(({ references }) => references?.collection ?? [])
    .concat(idOf ?? [])

/** The same collections, each after those that it refers to. */
const parentsFirst = (
  collections: ReadonlyArray<Collection<Row>>
): ReadonlyArray<Collection<Row>> => {
  const ordered = new Set<Collection<Row>>()
  const add = (collection: Collection<Row>): void => {
    for (const parent of parentsOf(collection)) if (parent !== collection) add(parent)
    ordered.add(collection)
  }
  for (const collection of collections) add(collection)
  return [...ordered]
}

/** All collections, each after those that it refers to. */
export const COLLECTIONS: ReadonlyArray<Collection<Row>> = parentsFirst([
  ...RECORD_TYPES.map(({ collection }) => collection),
  accounts,
  keys,
  idempotency,
  keyUses,
  deprecatedCalls,
  webhooks,
  webhookAttempts,
  changes,
  feedEpochs
])

/**
 * The collections that a storage is built for: all of the shop's, unless its layer is provided with
 * others, as a test does.
 */
export class Collections extends Context.Reference<Collections>()("@petstore/core/Collections", {
  defaultValue: (): ReadonlyArray<Collection<Row>> => COLLECTIONS
}) {}
