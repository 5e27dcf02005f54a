/** Makes the APIs: one walk over the operations of the shop, one way to run each kind for each API. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Engine } from "../Engine.js"
import type { Program, ReadProgram } from "../engine/program/Program.js"
import { refuse } from "../engine/program/requests.js"
import type { RequestContext } from "../engine/operation/RequestContext.js"
import type { Shop } from "../registry/Shop.js"
import { traced } from "./traced.js"
import type { DirectApi, EffectApi, PromiseApi, TransactionApi, TransactionVerbs } from "./Api.js"

/** An operation as this file sees it: its parts fit each other, which {@link Shop} has checked where it was declared. */
type Loose = {
  readonly kind: "read" | "write"
  readonly accept: (...input: ReadonlyArray<unknown>) => Either.Either<ReadonlyArray<unknown>, unknown>
  readonly program: (
    context: RequestContext,
    ...asked: ReadonlyArray<unknown>
  ) => ReadProgram<unknown, unknown>
  readonly show: (stored: unknown) => unknown
}

type Verb = (...input: ReadonlyArray<unknown>) => unknown

/** The same groups and names, each operation turned into a verb. The one cast: the types of the APIs say the same of every shop. */
const mapShop = <Api>(shop: Shop, verb: (operation: Loose, name: string) => Verb): Api => {
  const operations: Readonly<Record<string, Readonly<Record<string, unknown>>>> = shop
  const groups: Record<string, Record<string, Verb>> = {}
  for (const [group, named] of Object.entries(operations)) {
    const verbs: Record<string, Verb> = {}
    for (const [name, operation] of Object.entries(named))
      verbs[name] = verb(operation as Loose, `${group}.${name}`)
    groups[group] = verbs
  }
  return groups as Api
}

/** Each call is a span named `pets.create`, where the host has a tracer. */
export const effectApi = (engine: Engine): EffectApi<Shop> =>
  mapShop(
    engine.shop,
    ({ kind, accept, program, show }, name) =>
      (...input) =>
        traced(name, () =>
          Either.match(accept(...input), {
            onLeft: Effect.fail,
            onRight: (asked) => {
              const context = { nowMs: engine.nowMs() }
              return Effect.map(
                engine.storage[kind](() => program(context, ...asked)),
                show
              )
            }
          })
        )
  )

/** Answers at once, or throws the refusal. `ready` throws once the store is closed. */
export const directApi = (engine: Engine, ready: () => void): DirectApi<Shop> | undefined => {
  const { direct } = engine
  if (direct === undefined) return undefined
  return mapShop(engine.shop, ({ kind, accept, program, show }) => (...input) => {
    ready()
    const accepted = accept(...input)
    if (Either.isLeft(accepted)) throw accepted.left
    const context = { nowMs: engine.nowMs() }
    const answer = direct[kind](() => program(context, ...accepted.right))
    if (Either.isLeft(answer)) throw answer.left
    return show(answer.right)
  })
}

/** `run` turns an effect into a promise that rejects with the refusal itself. */
export const promiseApi = (
  engine: Engine,
  ready: () => void,
  run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
): PromiseApi<Shop> => {
  const { direct } = engine
  return mapShop(engine.shop, ({ kind, accept, program, show }) => async (...input) => {
    ready()
    const accepted = accept(...input)
    if (Either.isLeft(accepted)) throw accepted.left
    const context = { nowMs: engine.nowMs() }
    const start = () => program(context, ...accepted.right)
    if (direct === undefined) return show(await run(engine.storage[kind](start)))
    const answer = await direct[kind === "read" ? "read" : "submit"](start)
    if (Either.isLeft(answer)) throw answer.left
    return show(answer.right)
  })
}

export const transactionApi = (engine: Engine, context: RequestContext): TransactionApi<Shop> => ({
  ...mapShop<TransactionVerbs<Shop>>(
    engine.shop,
    ({ accept, program, show }) =>
      function* (...input): Program<unknown, unknown> {
        const accepted = accept(...input)
        if (Either.isLeft(accepted)) return yield* refuse(accepted.left)
        return show(yield* program(context, ...accepted.right))
      }
  ),
  nowMs: context.nowMs
})
