/**
 * The capability of a synchronous backend to report whether rows that were read are still current.
 */
import {
  accounts,
  categories,
  type Collection,
  type DirectStorage,
  get,
  insert,
  keys,
  type Program,
  remove,
  replace,
  type Row
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { direct } from "./direct.js"
import { expectSame } from "./expect.js"
import * as sample from "./samples.js"

const LOOKED_AT: ReadonlyArray<Collection<Row>> = [keys, accounts]

/**
 * Writes a program with `write` and with `submit`. Returns for each whether the data version
 * changed.
 */
const endsVersion = (program: () => Program<void>) =>
  Effect.gen(function* () {
    const port = yield* direct
    const first = port.dataVersion(LOOKED_AT)
    port.write(program)
    const second = port.dataVersion(LOOKED_AT)
    yield* Effect.promise(async () => port.submit(program))
    return [first !== second, second !== port.dataVersion(LOOKED_AT)]
  })

function* insertCategory() {
  yield* insert(categories, sample.category())
}

function* insertKey() {
  yield* insert(keys, sample.key())
}

function* disableKey() {
  const key = yield* get(keys, 1)
  if (key !== undefined) yield* replace(keys, key, { disabled: !key.disabled })
}

function* changePlan() {
  const account = yield* get(accounts, 1)
  if (account !== undefined) yield* replace(accounts, account, { createdMs: account.createdMs + 1 })
}

function* removeKey() {
  const key = (yield* get(keys, 1)) ?? (yield* get(keys, 2))
  if (key !== undefined) yield* remove(keys, key)
}

/** What synchronous backends with the capability `dataVersion` promise besides. */
export const dataVersionClaims: ReadonlyArray<Claim<DirectStorage>> = [
  {
    claim:
      "a data version stays the same while its collections are only read, and others are written",
    check: Effect.gen(function* () {
      const port = yield* direct
      port.write(sample.foundation)
      const before = port.dataVersion(LOOKED_AT)
      port.read(() => get(keys, 1))
      port.write(function* () {
        yield* insert(categories, sample.category())
        return yield* get(accounts, 1)
      })
      yield* expectSame("the data version", port.dataVersion(LOOKED_AT), before)
    })
  },
  {
    claim: "every insert, replacement and removal changes the data version of its collection",
    check: Effect.gen(function* () {
      const port = yield* direct
      port.write(sample.foundation)
      yield* expectSame("after inserts", yield* endsVersion(insertKey), [true, true])
      yield* expectSame("after replacements", yield* endsVersion(disableKey), [true, true])
      yield* expectSame("after those of the other", yield* endsVersion(changePlan), [true, true])
      yield* expectSame("after removals", yield* endsVersion(removeKey), [true, true])
    })
  },
  {
    claim: "a data version of a shared snapshot changes when the storage itself writes",
    check: Effect.gen(function* () {
      const port = yield* direct
      const ends: Array<boolean> = []
      port.withSharedSnapshot(() => {
        const before = port.dataVersion([categories])
        port.read(() => get(categories, 1))
        ends.push(before !== port.dataVersion([categories]))
        port.write(insertCategory)
        ends.push(before !== port.dataVersion([categories]))
      })
      yield* expectSame("the data version ends", ends, [false, true])
    })
  }
]
