/** Several steps of a host's own as one transaction, in effects and in promises. */
import type * as Effect from "effect/Effect"
import type { Engine } from "../Engine.js"
import type { StorageError } from "../engine/port/StorageError.js"
import type { RefusalOf, Refuse, Request } from "../engine/program/Program.js"
import { programOf } from "../engine/program/requests.js"
import type { Shop } from "../registry/Shop.js"
import type { TransactionApi } from "./Api.js"
import { transactionApi } from "./makeApis.js"
import { traced } from "./traced.js"

/** Runs several steps as one transaction: all of it is stored, or, when a step is refused, none. */
export type Transact<Answer> = <A, Yields extends Request | Refuse<unknown>>(
  steps: (tx: TransactionApi<Shop>) => Generator<Yields, A, unknown>
) => Answer extends "promise" ? Promise<A> : Effect.Effect<A, RefusalOf<Yields> | StorageError>

/**
 * What most programs that await by habit hand in instead would fail far from where the mistake is.
 */
const generatorOf = <G>(steps: G): G => {
  if (typeof steps === "object" && steps !== null && Symbol.iterator in steps && "next" in steps) return steps
  throw new TypeError(
    "transact takes a generator function, neither async nor plain: function* (tx) { … yield* tx.… }"
  )
}

export const transactEffect =
  (engine: Engine): Transact<"effect"> =>
  (steps) =>
    traced("transact", () => {
      const tx = transactionApi(engine, { nowMs: engine.nowMs() })
      return engine.storage.write(programOf(() => generatorOf(steps(tx))))
    })

export const transactPromise =
  (
    engine: Engine,
    ready: () => void,
    run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  ): Transact<"promise"> =>
  async (steps) => {
    ready()
    return run(transactEffect(engine)(steps))
  }
