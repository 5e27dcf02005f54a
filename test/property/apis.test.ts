import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { Effect, Either, FastCheck as fc, Layer } from "effect"
import { describe, expect, it } from "vitest"

/** One call of any verb of the shop, as data. */
type Call = {
  readonly group: string
  readonly verb: string
  readonly input: ReadonlyArray<unknown>
}

const id = fc.integer({ min: 1, max: 4 })
const status = fc.constantFrom("available", "pending", "sold", undefined)
const quantity = fc.constantFrom(undefined, 0, 1, 2, 5)
const present = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const call: fc.Arbitrary<Call> = fc.oneof(
  fc
    .record({ name: fc.constantFrom("Fish", "", "Birds") })
    .map((input) => ({ group: "categories", verb: "create", input: [input] })),
  fc
    .record({ name: fc.constantFrom("Rex", "Ada"), categoryId: id, status })
    .map((input) => ({ group: "pets", verb: "create", input: [present(input)] })),
  fc
    .tuple(id, fc.record({ status, categoryId: fc.option(id, { nil: undefined }) }))
    .map(([at, input]) => ({ group: "pets", verb: "update", input: [at, present(input)] })),
  fc
    .record({
      petId: fc.option(id, { nil: undefined }),
      quantity,
      complete: fc.constantFrom(undefined, true, false)
    })
    .map((input) => ({ group: "orders", verb: "place", input: [present(input)] })),
  fc
    .tuple(
      id,
      fc.record({
        petId: fc.constantFrom(undefined, null, 1, 2),
        quantity,
        complete: fc.constantFrom(undefined, true)
      })
    )
    .map(([at, input]) => ({ group: "orders", verb: "update", input: [at, present(input)] })),
  fc
    .tuple(
      fc.constantFrom(
        "orders.cancel",
        "pets.remove",
        "pets.get",
        "categories.remove",
        "inventory.get"
      ),
      id
    )
    .map(([name, at]) => {
      const [group = "", verb = ""] = name.split(".")
      return { group, verb, input: [at] }
    }),
  fc
    .tuple(id, fc.integer({ min: 0, max: 4 }))
    .map(([at, units]) => ({ group: "inventory", verb: "set", input: [at, { quantity: units }] })),
  fc
    .constantFrom("pets", "orders", "inventory", "categories")
    .map((group) => ({ group, verb: "list", input: [{ total: true }] }))
)

const calls = fc.array(call, { minLength: 1, maxLength: 30 })

type LooseApi = Readonly<
  Record<string, Readonly<Record<string, (...input: ReadonlyArray<unknown>) => unknown>>>
>

/** An API seen without its types, so that one list of calls can be made on each. */
const loose = (api: unknown): LooseApi => api as LooseApi
const made = (api: LooseApi, { group, verb, input }: Call): unknown =>
  api[group]?.[verb]?.(...input)
const told = (error: unknown) =>
  error instanceof Error ? { refused: error.name, message: error.message } : error

describe("the three APIs", () => {
  it("answer alike to any sequence of calls", async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (sequence) => {
        const [one, two] = [
          await PetStore.open({ storage: MemoryStorage.layer }),
          await PetStore.open({ storage: MemoryStorage.layer })
        ]
        const direct = sequence.map((each) => {
          try {
            return { answer: made(loose(one.direct), each) }
          } catch (error) {
            return told(error)
          }
        })
        const promised: Array<unknown> = []
        for (const each of sequence) {
          promised.push(
            await Promise.resolve(made(loose(two), each)).then((answer) => ({ answer }), told)
          )
        }
        const effects = await Effect.gen(function* () {
          const store = loose(yield* PetStore)
          const answers: Array<unknown> = []
          for (const each of sequence) {
            const effect = made(store, each)
            if (!Effect.isEffect(effect)) throw new Error("not an effect")
            answers.push(
              Either.match(yield* Effect.either(effect as Effect.Effect<unknown, unknown>), {
                onLeft: told,
                onRight: (answer) => ({ answer })
              })
            )
          }
          return answers
        }).pipe(
          Effect.provide(PetStore.layer().pipe(Layer.provide(MemoryStorage.layer))),
          Effect.runPromise
        )
        expect(promised).toEqual(direct)
        expect(effects).toEqual(direct)
        await Promise.all([one.close(), two.close()])
      }),
      { numRuns: 60 }
    )
  })
})
