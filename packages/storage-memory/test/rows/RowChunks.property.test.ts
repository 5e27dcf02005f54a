import {
  EVERY_ROW,
  categories,
  changes,
  type Collection,
  type NewRow,
  type Program,
  type Row
} from "@petstore/core/storage"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { Interpreter } from "../../src/Interpreter.js"
import { Store } from "../../src/Store.js"

/** Enough rows for several chunks, so that a trim removes whole chunks, a part of one, or both. */
const step = fc.oneof(
  fc.record({ op: fc.constant("insert" as const), many: fc.integer({ min: 1, max: 1_500 }) }),
  fc.record({
    op: fc.constant("deleteBelow" as const),
    at: fc.double({ min: 0, max: 1.2, noNaN: true })
  }),
  fc.record({
    op: fc.constant("remove" as const),
    at: fc.double({ min: 0, max: 0.999, noNaN: true })
  })
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const transaction = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  isRefused: fc.boolean()
})

const ROWS = new Map<string, NewRow>([
  [
    changes.name,
    {
      atMs: 0,
      type: "pet.created",
      kind: "pet",
      recordId: 1,
      accountId: null,
      requestId: null,
      before: null,
      after: null
    }
  ],
  [categories.name, { name: "Dogs", foldedName: "dogs", description: null }]
])

/** The ids of the rows, and the last one that was assigned. */
type Model = { readonly ids: ReadonlyArray<number>; readonly lastId: number }

/** The model after a step. */
const after = ({ ids, lastId }: Model, asked: Step): Model => {
  if (asked.op === "insert")
    return {
      ids: [...ids, ...Array.from({ length: asked.many }, (_, at) => lastId + 1 + at)],
      lastId: lastId + asked.many
    }
  if (asked.op === "deleteBelow")
    return { ids: ids.filter((id) => id >= belowOf(lastId, asked.at)), lastId }
  const gone = pickOf(ids, asked.at)
  return { ids: ids.filter((id) => id !== gone), lastId }
}

const belowOf = (lastId: number, at: number): number => Math.ceil(lastId * at)
const pickOf = (ids: ReadonlyArray<number>, at: number): number | undefined =>
  ids[Math.floor(ids.length * at)]

function* doing(collection: Collection<Row>, asked: Step, { ids, lastId }: Model): Program<void> {
  if (asked.op === "insert") {
    const row = ROWS.get(collection.name) ?? {}
    for (let at = 0; at < asked.many; at++)
      yield { op: "insert", returning: false, collection, row }
  } else if (asked.op === "deleteBelow") {
    yield { op: "deleteBelow", collection, below: belowOf(lastId, asked.at) }
  } else {
    const id = pickOf(ids, asked.at)
    if (id !== undefined) yield { op: "remove", collection, id }
  }
}

type Transaction = typeof transaction extends fc.Arbitrary<infer A> ? A : never

const run = (
  interpreter: Interpreter,
  collection: Collection<Row>,
  before: Model,
  { steps, isRefused }: Transaction
): Model => {
  let model = before
  const outcome = interpreter.write(function* (): Program<void, "refused"> {
    for (const each of steps) {
      yield* doing(collection, each, model)
      model = after(model, each)
    }
    if (isRefused) yield { op: "refuse", error: "refused" }
  })
  expect(Either.isLeft(outcome)).toBe(isRefused)
  return isRefused ? before : model
}

const expectSame = (
  interpreter: Interpreter,
  collection: Collection<Row>,
  { ids, lastId }: Model
): void => {
  const bounds = [0, 1, 1_023, 1_024, 1_025, 2_048, Math.floor(lastId / 2), lastId, lastId + 1]
  const found = interpreter.read(function* () {
    const answers: Array<unknown> = []
    for (const below of [null, ...bounds]) {
      const range = { ...EVERY_ROW, below }
      answers.push(yield { op: "count", collection, range })
      const page = { op: "scan", collection, range, after: null, limit: 3 } as const
      answers.push(yield { ...page, descending: false }, yield { ...page, descending: true })
    }
    for (const id of bounds) answers.push(id > 0 ? yield { op: "get", collection, id } : undefined)
    return answers
  })
  const rowOf = (id: number) => ({ ...ROWS.get(collection.name), id, revision: 1 })
  const expected = [null, ...bounds].flatMap((below) => {
    const inside = below === null ? ids : ids.filter((id) => id < below)
    return [
      inside.length,
      inside.slice(0, 3).map(rowOf),
      inside.toReversed().slice(0, 3).map(rowOf)
    ]
  })
  const got = bounds.map((id) => (ids.includes(id) ? rowOf(id) : undefined))
  expect(Either.getOrThrow(found)).toEqual([...expected, ...got])
}

describe.each([changes, categories])("rows of $name over several chunks", (described) => {
  const collection: Collection<Row> = described

  test("are those that an array would have, whatever was trimmed, removed or refused, and a fork changes apart", () => {
    fc.assert(
      fc.property(
        fc.array(transaction, { minLength: 2, maxLength: 5 }),
        transaction,
        (all, forked) => {
          const store = new Store()
          const interpreter = new Interpreter(store)
          let model: Model = { ids: [], lastId: 0 }
          for (const [at, each] of all.entries()) {
            const fork = at === all.length - 1 ? new Interpreter(store.fork()) : undefined
            const before = model
            model = run(interpreter, collection, before, each)
            expectSame(interpreter, collection, model)
            if (fork !== undefined)
              expectSame(fork, collection, run(fork, collection, before, forked))
          }
        }
      ),
      { numRuns: 25 }
    )
  })

  test("that were trimmed stay away from a fork that was made before the trim was taken back", () => {
    const store = new Store()
    const interpreter = new Interpreter(store)
    const forks: Array<Interpreter> = []
    const all = after({ ids: [], lastId: 0 }, { op: "insert", many: 3_000 })
    interpreter.write(() =>
      doing(collection, { op: "insert", many: 3_000 }, { ids: [], lastId: 0 })
    )
    interpreter.write(function* (): Program<void, "refused"> {
      yield { op: "deleteBelow", collection, below: 2_500 }
      forks.push(new Interpreter(store.fork()))
      yield { op: "refuse", error: "refused" }
    })
    expectSame(interpreter, collection, all)
    for (const fork of forks) expectSame(fork, collection, { ...all, ids: all.ids.slice(2_499) })
  })
})
