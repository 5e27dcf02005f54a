/**
 * The standing of accounts with limits and bans, its explanation, and lifting bans. The same on
 * every storage.
 */
import * as Effect from "effect/Effect"
import { traced } from "./traced.js"
import type { Engine } from "../Engine.js"
import { accountKey } from "../access/limit/accountKey.js"
import { explain, type Explanation } from "../access/limit/Explanation.js"
import type { Standing } from "../access/limit/Standing.js"
import type { StorageError } from "../engine/port/StorageError.js"
import { readProgramOf } from "../engine/program/requests.js"
import type { NotFound } from "../engine/operation/errors.js"
import { findAccount } from "../access/account/operations.js"

/** Where accounts stand with their limits and bans. */
export type LimitsEffects = {
  /**
   * Used and remaining requests of both windows, strikes and bans. Counts nothing. What other
   * processes hold for the account and have not spent yet shows as used. Refused: `NotFound`.
   *
   * @example
   * const { minute, day, bannedUntilMs } = await store.limits.get(1)
   */
  readonly get: (accountId: number) => Effect.Effect<Standing, NotFound | StorageError>
  /**
   * The same with an explanation: why the account was last refused, what changes when (in
   * milliseconds since 1970), and a text for people. Refused: `NotFound`.
   *
   * @example
   * const { text, admittedFromMs } = await store.limits.explain(1)
   */
  readonly explain: (accountId: number) => Effect.Effect<Explanation, NotFound | StorageError>
  /**
   * Ends a ban and clears strikes and refusals. Used requests stay used. Refused: `NotFound`.
   *
   * @example
   * await store.limits.unban(1)
   */
  readonly unban: (accountId: number) => Effect.Effect<void, NotFound | StorageError>
}

/** The same as promises, which reject with the tagged error itself. */
export type LimitsPromises = {
  readonly [Verb in keyof LimitsEffects]: (
    accountId: number
  ) => Promise<Effect.Effect.Success<ReturnType<LimitsEffects[Verb]>>>
}

export const limitsEffects = ({ storage, authenticator, nowMs }: Engine): LimitsEffects => {
  const account = (id: number) => storage.read(readProgramOf(() => findAccount(id)))
  return {
    get: (id) =>
      traced("limits.get", () =>
        Effect.flatMap(account(id), (row) =>
          authenticator.limiter.standing(accountKey(id), authenticator.limitsOf(row), nowMs())
        )
      ),
    explain: (id) =>
      traced("limits.explain", () =>
        Effect.flatMap(account(id), (row) => {
          const limits = authenticator.limitsOf(row)
          const atMs = nowMs()
          const subject = `Account ${id} on the plan ${row.plan}`
          return Effect.map(
            authenticator.limiter.standing(accountKey(id), limits, atMs),
            (standing) => explain(subject, limits, standing, authenticator.banPolicy, atMs)
          )
        })
      ),
    unban: (id) =>
      traced("limits.unban", () =>
        Effect.zipRight(account(id), authenticator.limiter.unban(accountKey(id)))
      )
  }
}

export const limitsPromises = (
  engine: Engine,
  ready: () => void,
  run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
): LimitsPromises => {
  const effects = limitsEffects(engine)
  const promised =
    <A, E>(verb: (accountId: number) => Effect.Effect<A, E>) =>
    async (accountId: number): Promise<A> => {
      ready()
      return run(verb(accountId))
    }
  return {
    get: promised(effects.get),
    explain: promised(effects.explain),
    unban: promised(effects.unban)
  }
}
