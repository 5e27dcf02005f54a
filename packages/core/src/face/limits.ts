/** Where accounts stand with their limits and bans, and how to lift a ban. The same on every storage. */
import { Effect } from "effect"
import type { Engine } from "../Engine.js"
import { accountKey } from "../limit/accountKey.js"
import type { Standing } from "../limit/Standing.js"
import type { StorageError } from "../port/StorageError.js"
import { readProgramOf } from "../program/requests.js"
import type { NotFound } from "../record/Refusals.js"
import { findAccount } from "../shop/accounts.js"

export type LimitsEffects = {
  /** Used and remaining requests of both windows, strikes and bans. Refused: `NotFound`. */
  readonly get: (accountId: number) => Effect.Effect<Standing, NotFound | StorageError>
  /** Ends a ban and forgets strikes; what was used stays used. Refused: `NotFound`. */
  readonly unban: (accountId: number) => Effect.Effect<void, NotFound | StorageError>
}

export type LimitsPromises = {
  /** Used and remaining requests of both windows, strikes and bans. Rejects with `NotFound`. */
  readonly get: (accountId: number) => Promise<Standing>
  /** Ends a ban and forgets strikes; what was used stays used. Rejects with `NotFound`. */
  readonly unban: (accountId: number) => Promise<void>
}

export const limitsEffects = ({ storage, gate, nowMs }: Engine): LimitsEffects => {
  const account = (id: number) => storage.read(readProgramOf(() => findAccount(id)))
  return {
    get: (id) =>
      Effect.flatMap(account(id), (found) =>
        gate.limiter.standing(accountKey(id), gate.limitsOf(found), nowMs())
      ),
    unban: (id) => Effect.zipRight(account(id), gate.limiter.unban(accountKey(id)))
  }
}

export const limitsPromises = (
  engine: Engine,
  ready: () => void,
  run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
): LimitsPromises => {
  const effects = limitsEffects(engine)
  return {
    get: async (id) => {
      ready()
      return run(effects.get(id))
    },
    unban: async (id) => {
      ready()
      return run(effects.unban(id))
    }
  }
}
