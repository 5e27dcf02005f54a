/** How a backend that answers at once tells that what was read is still so. */
import {
  accounts,
  categories,
  type Collection,
  DirectStorage,
  get,
  insert,
  keys,
  type Program,
  remove,
  replace,
  type Row
} from "@petstore/core"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import * as sample from "./samples.js"

const LOOKED_AT: ReadonlyArray<Collection<Row>> = [keys, accounts]

/**
 * Runs a program in each of the two ways and answers for each whether the edition is another one
 * than before it.
 */
const endsEdition = (program: () => Program<void>) =>
  Effect.gen(function* () {
    const direct = yield* DirectStorage
    const first = direct.edition(LOOKED_AT)
    direct.write(program)
    const second = direct.edition(LOOKED_AT)
    yield* Effect.promise(async () => direct.submit(program))
    return [first !== second, second !== direct.edition(LOOKED_AT)]
  })

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

export const editions: ReadonlyArray<Claim<DirectStorage>> = [
  {
    claim: "an edition lasts while its collections are only read, and others are written",
    check: Effect.gen(function* () {
      const direct = yield* DirectStorage
      direct.write(sample.foundation)
      const before = direct.edition(LOOKED_AT)
      direct.read(() => get(keys, 1))
      direct.write(function* () {
        yield* insert(categories, sample.category())
        return yield* get(accounts, 1)
      })
      yield* expectSame("the edition", direct.edition(LOOKED_AT), before)
    })
  },
  {
    claim: "every insert, replacement and removal ends the edition of its collection",
    check: Effect.gen(function* () {
      const direct = yield* DirectStorage
      direct.write(sample.foundation)
      yield* expectSame("after inserts", yield* endsEdition(insertKey), [true, true])
      yield* expectSame("after replacements", yield* endsEdition(disableKey), [true, true])
      yield* expectSame("after those of the other", yield* endsEdition(changePlan), [true, true])
      yield* expectSame("after removals", yield* endsEdition(removeKey), [true, true])
    })
  }
]
