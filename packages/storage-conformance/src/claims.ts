/** Every promise of the ports. */
import { DirectStorage, Storage, type Usage } from "@petstore/core"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { atomicity } from "./atomicity.js"
import type { Claim } from "./Claim.js"
import { copies } from "./copies.js"
import { editions } from "./editions.js"
import { ids } from "./ids.js"
import { isolation } from "./isolation.js"
import { order } from "./order.js"
import { paging } from "./paging.js"
import { ranges } from "./ranges.js"
import { sequence } from "./sequence.js"
import { together } from "./together.js"
import { usage } from "./usage.js"
import { values } from "./values.js"

const storageClaims: ReadonlyArray<Claim> = [
  ...values,
  ...copies,
  ...ids,
  ...sequence,
  ...atomicity,
  ...isolation,
  ...order,
  ...ranges,
  ...paging
]

/** What every backend promises: each to be checked on a fresh one. */
export const claims: ReadonlyArray<Claim> = [...storageClaims, ...usage]

type Direct = Context.Tag.Service<typeof DirectStorage>

const readDirectly = (direct: Direct): Context.Tag.Service<typeof Storage>["read"] => {
  return (program) => Effect.suspend(() => direct.read(program))
}

/** `DirectStorage` looked at as `Storage`: the same promises, kept at once. */
const asStorage = Effect.map(DirectStorage, (direct) =>
  Storage.of({ read: readDirectly(direct), write: (program) => Effect.suspend(() => direct.write(program)) })
)

/** The same for callers that can wait a moment. */
const asSubmittingStorage = Effect.map(DirectStorage, (direct) =>
  Storage.of({
    read: readDirectly(direct),
    write: (program) => Effect.flatten(Effect.promise(async () => direct.submit(program)))
  })
)

/**
 * What backends that answer at once promise beside {@link claims}: the same of their
 * `DirectStorage`, its editions, and reads that run together.
 */
export const directClaims: ReadonlyArray<Claim<DirectStorage | Usage>> = [
  ...storageClaims.flatMap(({ claim, check }) => [
    { claim: `directly: ${claim}`, check: Effect.provideServiceEffect(check, Storage, asStorage) },
    { claim: `submitted: ${claim}`, check: Effect.provideServiceEffect(check, Storage, asSubmittingStorage) }
  ]),
  ...editions,
  ...together
]
