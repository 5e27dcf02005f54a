/** Several steps as one transaction, for effects and for promises. */
import type * as Effect from "effect/Effect"
import type { Engine } from "../Engine.js"
import type { StorageError } from "../engine/port/StorageError.js"
import type { RefusalOf, Refuse, Request } from "../engine/program/Program.js"
import { programOf } from "../engine/program/requests.js"
import type { Shop } from "../registry/Shop.js"
import type { TransactionApi } from "./Api.js"
import { transactionApi } from "./makeApis.js"
import { traced } from "./traced.js"

/** Runs several steps as one transaction: if a step fails, nothing is stored. */
export type Transact<Answer> = <A, Yields extends Request | Refuse<unknown>>(
  steps: (tx: TransactionApi<Shop>) => Generator<Yields, A, unknown>
) => Answer extends "promise" ? Promise<A> : Effect.Effect<A, RefusalOf<Yields> | StorageError>

/** Rejects async functions, a common mistake that would otherwise fail far from its cause. */
const generatorOf = <G>(steps: G): G => {
  if (typeof steps === "object" && steps !== null && Symbol.iterator in steps && "next" in steps)
    return steps
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
