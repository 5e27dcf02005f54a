/**
 * Makes the APIs: one walk over the operations of the shop, one way to run each kind for each API.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Engine } from "../Engine.js"
import type { Program, ReadProgram } from "../engine/program/Program.js"
import { refuse } from "../engine/program/requests.js"
import type { RequestContext } from "../engine/operation/RequestContext.js"
import type { Shop } from "../registry/Shop.js"
import { traced } from "./traced.js"
import type { DirectApi, EffectApi, PromiseApi, TransactionApi, TransactionVerbs } from "./Api.js"

/**
 * An operation without its types. Its parts fit each other: the compiler checks that where an
 * operation is declared.
 */
type Loose = {
  readonly kind: "read" | "write"
  readonly validate: (
    ...args: ReadonlyArray<unknown>
  ) => Either.Either<ReadonlyArray<unknown>, unknown>
  readonly program: (
    context: RequestContext,
    ...input: ReadonlyArray<unknown>
  ) => ReadProgram<unknown, unknown>
  readonly present: (stored: unknown) => unknown
}

type Verb = (...args: ReadonlyArray<unknown>) => unknown

/**
 * Maps every operation to a method, with the same groups and names. The cast holds by the types of
 * the APIs.
 */
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

/** If the host has a tracer, each call is a span with a name such as `pets.create`. */
export const effectApi = (engine: Engine): EffectApi<Shop> =>
  mapShop(
    engine.shop,
    ({ kind, validate, program, present }, name) =>
      (...args) =>
        traced(name, () =>
          Either.match(validate(...args), {
            onLeft: Effect.fail,
            onRight: (input) => {
              const context = { nowMs: engine.nowMs() }
              return Effect.map(
                engine.storage[kind](() => program(context, ...input)),
                present
              )
            }
          })
        )
  )

/** Returns the result, or throws the error. `ready` throws once the store is closed. */
export const directApi = (engine: Engine, ready: () => void): DirectApi<Shop> | undefined => {
  const { direct } = engine
  if (direct === undefined) return undefined
  return mapShop(engine.shop, ({ kind, validate, program, present }) => (...args) => {
    ready()
    const validated = validate(...args)
    if (Either.isLeft(validated)) throw validated.left
    const context = { nowMs: engine.nowMs() }
    const answer = direct[kind](() => program(context, ...validated.right))
    if (Either.isLeft(answer)) throw answer.left
    return present(answer.right)
  })
}

/** `run` converts an effect to a promise that rejects with the error itself. */
export const promiseApi = (
  engine: Engine,
  ready: () => void,
  run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
): PromiseApi<Shop> => {
  const { direct } = engine
  return mapShop(engine.shop, ({ kind, validate, program, present }) => async (...args) => {
    ready()
    const validated = validate(...args)
    if (Either.isLeft(validated)) throw validated.left
    const context = { nowMs: engine.nowMs() }
    const start = () => program(context, ...validated.right)
    if (direct === undefined) return present(await run(engine.storage[kind](start)))
    const answer = await direct[kind === "read" ? "read" : "submit"](start)
    if (Either.isLeft(answer)) throw answer.left
    return present(answer.right)
  })
}

export const transactionApi = (engine: Engine, context: RequestContext): TransactionApi<Shop> => ({
  ...mapShop<TransactionVerbs<Shop>>(
    engine.shop,
    ({ validate, program, present }) =>
      function* (...args): Program<unknown, unknown> {
        const validated = validate(...args)
        if (Either.isLeft(validated)) return yield* refuse(validated.left)
        return present(yield* program(context, ...validated.right))
      }
  ),
  nowMs: context.nowMs
})
