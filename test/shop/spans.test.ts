import { NotFound, PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { Effect, Exit, Layer, Tracer } from "effect"
import { expect, test } from "vitest"

const store = PetStore.layer().pipe(Layer.provide(MemoryStorage.layer))

/** A tracer that keeps the names of spans, and how they ended. */
const recording = () => {
  const ended: Array<string> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => ({
      _tag: "Span",
      name,
      spanId: String(ended.length + 1),
      traceId: "1",
      parent,
      context,
      links,
      kind,
      sampled: true,
      status: { _tag: "Started", startTime },
      attributes: new Map(),
      attribute: () => undefined,
      event: () => undefined,
      addLinks: () => undefined,
      end: (_endTime, exit) =>
        void ended.push(`${name} ${Exit.isSuccess(exit) ? "succeeded" : "failed"}`)
    }),
    context: (run) => run()
  })
  return { ended, layer: Layer.setTracer(tracer) }
}

const shopping = Effect.gen(function* () {
  const { pets, categories, transact } = yield* PetStore
  yield* categories.create({ name: "Fish" })
  yield* transact((tx) => tx.pets.create({ name: "Goldie", categoryId: 1 }))
  yield* pets.get(1)
  return yield* Effect.flip(pets.get(2))
})

test("where the host has a tracer, each call of the Effect API is a span named by group and verb", async () => {
  const { ended, layer } = recording()
  await Effect.runPromise(Effect.provide(shopping, Layer.merge(store, layer)))
  expect(ended).toEqual([
    "categories.create succeeded",
    "transact succeeded",
    "pets.get succeeded",
    "pets.get failed"
  ])
})

test("without a tracer there is no span, and calls do the same", async () => {
  const seen = await Effect.runPromise(
    Effect.gen(function* () {
      const refusal = yield* shopping
      return { refusal, span: yield* Effect.option(Effect.currentSpan) }
    }).pipe(Effect.provide(store))
  )
  expect(seen.refusal).toBeInstanceOf(NotFound)
  expect(seen.span._tag).toBe("None")
})
