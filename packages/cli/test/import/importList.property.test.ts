import * as FastCheck from "effect/FastCheck"
import { expect, test } from "vitest"
import { anImport, type Made } from "./anImport.js"
import { Crash, FakeService, type Fault } from "./FakeService.js"

const row = FastCheck.tuple(
  FastCheck.constantFrom("Bella", "Rex", "Max", "", "Voldemort"),
  FastCheck.constantFrom("Dog", "Cat"),
  FastCheck.constantFrom("available", "sold", "gone")
)

const fault: FastCheck.Arbitrary<Fault> = FastCheck.oneof(
  { weight: 30, arbitrary: FastCheck.constant(undefined) },
  {
    weight: 3,
    arbitrary: FastCheck.constantFrom<Fault>("lost", "unsent", "busy", "limited", "broken")
  },
  { weight: 1, arbitrary: FastCheck.constant<Fault>("crash") }
)

const canBeLoaded = ([name, , status]: Made) =>
  name !== "" && name !== "Voldemort" && status !== "gone"

test("whatever breaks and however often it dies, an import loads every line exactly once", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(
      FastCheck.array(row, { maxLength: 40 }),
      FastCheck.array(fault, { maxLength: 120 }),
      FastCheck.integer({ min: 1, max: 9 }),
      async (made, faults, concurrency) => {
        const service = new FakeService()
        const it = anImport(service, made)
        const left = [...faults]
        try {
          for (;;) {
            try {
              const { stopped } = await it.run({ fault: () => left.shift(), concurrency })
              if (stopped === undefined) break
            } catch (cause) {
              if (!(cause instanceof Crash)) throw cause
            }
          }
          const expected = made
            .filter(canBeLoaded)
            .map(([name, category, status]) => `${name} ${category} ${status}`)
          const categoryOf = (id: number) => service.categories.find((each) => each.id === id)?.name
          const actual = service.pets.map(
            (pet) => `${pet.name} ${categoryOf(pet.categoryId)} ${pet.status}`
          )
          expect(actual.sort()).toEqual(expected.sort())
          expect((await it.run()).refused.length).toBe(made.length - expected.length)
        } finally {
          it.forget()
        }
      }
    ),
    { numRuns: 150 }
  )
})
