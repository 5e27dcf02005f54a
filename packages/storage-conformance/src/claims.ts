/** Every promise of the ports. */
import {
  type Direct,
  type DirectStorage,
  effectOf,
  Storage,
  type Usage
} from "@petstore/core/storage"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { atomicity } from "./atomicity.js"
import type { Claim } from "./Claim.js"
import { copies } from "./copies.js"
import { direct } from "./direct.js"
import { everyCollection } from "./everyCollection.js"
import { ids } from "./ids.js"
import { isolation } from "./isolation.js"
import { order } from "./order.js"
import { paging } from "./paging.js"
import { ranges } from "./ranges.js"
import { readiness } from "./readiness.js"
import { sequence } from "./sequence.js"
import { sharedSnapshot } from "./sharedSnapshot.js"
import { trim } from "./trim.js"
import { usage } from "./usage.js"
import { values } from "./values.js"

const storageClaims: ReadonlyArray<Claim> = [
  ...values,
  ...everyCollection,
  ...copies,
  ...ids,
  ...sequence,
  ...trim,
  ...atomicity,
  ...isolation,
  ...order,
  ...ranges,
  ...paging,
  ...readiness
]

/** What every backend promises: each to be checked on a fresh one. */
export const claims: ReadonlyArray<Claim> = [...storageClaims, ...usage]

const readDirectly = (port: Direct): Context.Tag.Service<typeof Storage>["read"] => {
  return (program) => Effect.suspend(() => port.read(program))
}

/** `DirectStorage` as a `Storage`: the same promises, kept synchronously. */
const asStorage = Effect.map(direct, (port) =>
  Storage.of({
    read: readDirectly(port),
    write: (program) => Effect.suspend(() => port.write(program))
  })
)

/** The same for callers that can wait a moment. */
const asSubmittingStorage = Effect.map(direct, (port) =>
  Storage.of({
    read: readDirectly(port),
    write: (program) => effectOf(() => port.submit(program))
  })
)

/**
 * What synchronous backends promise besides {@link claims}: the same for their `DirectStorage`,
 * with or without its capabilities, and reads of a shared snapshot. A backend with `dataVersion`
 * promises `dataVersionClaims` too.
 */
export const directClaims: ReadonlyArray<Claim<DirectStorage | Usage>> = [
  ...storageClaims.flatMap(({ claim, check }) => [
    { claim: `directly: ${claim}`, check: Effect.provideServiceEffect(check, Storage, asStorage) },
    {
      claim: `submitted: ${claim}`,
      check: Effect.provideServiceEffect(check, Storage, asSubmittingStorage)
    }
  ]),
  ...sharedSnapshot
]
