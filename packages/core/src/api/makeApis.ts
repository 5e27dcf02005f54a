/** Makes the faces: one walk over the shop's operations, one way to run each kind for each face. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Engine } from "../Engine.js"
import type { Program, ReadProgram } from "../engine/program/Program.js"
import { refuse } from "../engine/program/requests.js"
import type { Origin } from "../engine/operation/Origin.js"
import type { Shop } from "../registry/Shop.js"
import { traced } from "./traced.js"
import type { DirectFace, EffectFace, PromiseFace, TransactionFace, TransactionVerbs } from "./Api.js"

/** An operation as this file sees it: its parts fit each other, which {@link Shop} has checked where it was declared. */
type Loose = {
  readonly kind: "read" | "write"
  readonly accept: (...input: ReadonlyArray<unknown>) => Either.Either<ReadonlyArray<unknown>, unknown>
  readonly program: (origin: Origin, ...asked: ReadonlyArray<unknown>) => ReadProgram<unknown, unknown>
  readonly show: (stored: unknown) => unknown
}

type Verb = (...input: ReadonlyArray<unknown>) => unknown

/** The same groups and names, each operation turned into a verb. The one cast: the faces' types say the same of every shop. */
const mapShop = <Face>(shop: Shop, verb: (operation: Loose, name: string) => Verb): Face => {
  const operations: Readonly<Record<string, Readonly<Record<string, unknown>>>> = shop
  const groups: Record<string, Record<string, Verb>> = {}
  for (const [group, named] of Object.entries(operations)) {
    const verbs: Record<string, Verb> = {}
    for (const [name, operation] of Object.entries(named))
      verbs[name] = verb(operation as Loose, `${group}.${name}`)
    groups[group] = verbs
  }
  return groups as Face
}

/** Each call is a span named `pets.create`, where the host has a tracer. */
export const effectFace = (engine: Engine): EffectFace<Shop> =>
  mapShop(
    engine.shop,
    ({ kind, accept, program, show }, name) =>
      (...input) =>
        traced(name, () =>
          Either.match(accept(...input), {
            onLeft: Effect.fail,
            onRight: (asked) => {
              const origin = { nowMs: engine.nowMs() }
              return Effect.map(
                engine.storage[kind](() => program(origin, ...asked)),
                show
              )
            }
          })
        )
  )

/** Answers at once, or throws the refusal. `ready` throws once the store is closed. */
export const directFace = (engine: Engine, ready: () => void): DirectFace<Shop> | undefined => {
  const { direct } = engine
  if (direct === undefined) return undefined
  return mapShop(engine.shop, ({ kind, accept, program, show }) => (...input) => {
    ready()
    const accepted = accept(...input)
    if (Either.isLeft(accepted)) throw accepted.left
    const origin = { nowMs: engine.nowMs() }
    const answer = direct[kind](() => program(origin, ...accepted.right))
    if (Either.isLeft(answer)) throw answer.left
    return show(answer.right)
  })
}

/** `run` turns an effect into a promise that rejects with the refusal itself. */
export const promiseFace = (
  engine: Engine,
  ready: () => void,
  run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
): PromiseFace<Shop> => {
  const { direct } = engine
  return mapShop(engine.shop, ({ kind, accept, program, show }) => async (...input) => {
    ready()
    const accepted = accept(...input)
    if (Either.isLeft(accepted)) throw accepted.left
    const origin = { nowMs: engine.nowMs() }
    const start = () => program(origin, ...accepted.right)
    if (direct === undefined) return show(await run(engine.storage[kind](start)))
    const answer = await direct[kind === "read" ? "read" : "submit"](start)
    if (Either.isLeft(answer)) throw answer.left
    return show(answer.right)
  })
}

export const transactionFace = (engine: Engine, origin: Origin): TransactionFace<Shop> => ({
  ...mapShop<TransactionVerbs<Shop>>(
    engine.shop,
    ({ accept, program, show }) =>
      function* (...input): Program<unknown, unknown> {
        const accepted = accept(...input)
        if (Either.isLeft(accepted)) return yield* refuse(accepted.left)
        return show(yield* program(origin, ...accepted.right))
      }
  ),
  nowMs: origin.nowMs
})
