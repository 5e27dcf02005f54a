import {
  categories,
  changes,
  type Collection,
  inventory,
  orders,
  pets,
  type Program,
  type Row,
  type Scan,
  valueOf
} from "@petstore/core/storage"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { CHUNK_CAPACITY } from "../src/index/SortedChunk.js"
import { MAX_ROW_IDS } from "../src/index/RowIds.js"
import { Interpreter } from "../src/Interpreter.js"
import { Store } from "../src/Store.js"
import { rowOf, scanOf } from "./arbitraries.js"
import { NaiveTable } from "./NaiveTable.js"

type Step = {
  readonly op: "insert" | "insertUnread" | "put" | "resort" | "remove" | "deleteBelow"
  readonly row: Row
  readonly pick: number
}
type Ending = "return" | "refuse" | "throw"

const stepOf = (collection: Collection<Row>): fc.Arbitrary<Step> =>
  fc.record({
    op: fc.constantFrom(
      "insert",
      "insert",
      "insertUnread",
      "insertUnread",
      "put",
      "put",
      "resort",
      "remove",
      "deleteBelow"
    ),
    row: rowOf(collection),
    pick: fc.nat(1_000)
  })

const transactionOf = (collection: Collection<Row>) =>
  fc.record({
    steps: fc.array(stepOf(collection), { maxLength: 12 }),
    ending: fc.constantFrom<Ending>("return", "return", "refuse", "throw")
  })

/**
 * The row with the other's values in the columns that indexes are on: it moves within sorted
 * indexes and not between them.
 */
const besides = (collection: Collection<Row>, row: Row, other: Row): Row => {
  const on = collection.indexes.flatMap((index) => index.on)
  return Object.assign(
    {},
    row,
    Object.fromEntries(on.map((column) => [column, other[column] ?? null]))
  )
}

/** Applies the steps to the store and the model. Each picks its row from the model. */
function* apply(
  model: NaiveTable,
  steps: ReadonlyArray<Step>,
  ending: Ending
): Program<number, "refused"> {
  const { collection } = model
  for (const { op, row, pick } of steps) {
    const target = model.rows[pick % Math.max(1, model.rows.length)]
    if (op === "insert" || op === "insertUnread") {
      const id =
        collection.key === "given"
          ? Math.max(0, ...model.rows.map((other) => other.id)) + 1 + pick
          : 0
      const request = { op: "insert", collection, row: { ...row, id } } as const
      const answer = yield op === "insert" ? request : { ...request, returning: false }
      const stored = model.insert({ ...row, id })
      expect(answer).toEqual(op === "insert" ? stored : stored.id)
    } else if (target !== undefined && (op === "put" || op === "resort")) {
      const changed = op === "put" ? row : besides(collection, row, target)
      const next = { ...changed, id: target.id, revision: target.revision + 1 }
      expect(yield { op: "put", collection, row: next, changed: Object.keys(row) }).toEqual(next)
      model.put(next)
    } else if (target !== undefined && op === "deleteBelow") {
      yield { op, collection, below: target.id }
      model.deleteBelow(target.id)
    } else if (target !== undefined) {
      yield { op: "remove", collection, id: target.id }
      model.remove(target.id)
    }
  }
  if (ending === "refuse") yield { op: "refuse", error: "refused" }
  if (ending === "throw") throw new Error("planned")
  return steps.length
}

const run = (
  interpreter: Interpreter,
  model: NaiveTable,
  steps: ReadonlyArray<Step>,
  ending: Ending
) => {
  const before = { rows: model.rows, lastId: model.lastId }
  try {
    expect(Either.isRight(interpreter.write(() => apply(model, steps, ending)))).toBe(
      ending === "return"
    )
  } catch (defect) {
    expect(defect).toEqual(new Error("planned"))
  }
  if (ending !== "return") Object.assign(model, before)
}

const expectSame = (
  interpreter: Interpreter,
  model: NaiveTable,
  scans: ReadonlyArray<ReturnType<typeof scanOf> extends fc.Arbitrary<infer S> ? S : never>
) => {
  for (const scan of scans) {
    const { collection, range } = scan
    const rows = interpreter.read(function* () {
      return yield scan
    })
    expect(rows).toEqual(Either.right(model.scan(scan)))
    const count = interpreter.read(function* () {
      return yield { op: "count", collection, range }
    })
    expect(count).toEqual(Either.right(model.range(range).length))
  }
}

describe.each([orders, categories, inventory, changes])("$name", (described) => {
  const collection: Collection<Row> = described

  test("the store answers every scan and count as an array that is sorted and filtered would, whatever was written, refused or broken off before", () => {
    fc.assert(
      fc.property(
        fc.array(transactionOf(collection), { minLength: 1, maxLength: 6 }),
        fc.array(scanOf(collection), { minLength: 5, maxLength: 15 }),
        (transactions, scans) => {
          const interpreter = new Interpreter(new Store())
          const model = new NaiveTable(collection)
          for (const { steps, ending } of transactions) {
            run(interpreter, model, steps, ending)
            expectSame(interpreter, model, scans)
          }
        }
      ),
      { numRuns: 150 }
    )
  })

  test("a fork and the store it was made from do not see each other's later writes", () => {
    fc.assert(
      fc.property(
        fc.array(transactionOf(collection), { minLength: 3, maxLength: 3 }),
        fc.array(scanOf(collection), { minLength: 5, maxLength: 15 }),
        (transactions, scans) => {
          const store = new Store()
          const model = new NaiveTable(collection)
          const [shared, own, forked] = transactions
          if (shared === undefined || own === undefined || forked === undefined) return
          run(new Interpreter(store), model, shared.steps, "return")
          const fork = new Interpreter(store.fork())
          const forkModel = new NaiveTable(collection)
          Object.assign(forkModel, { rows: model.rows, lastId: model.lastId })
          run(new Interpreter(store), model, own.steps, own.ending)
          run(fork, forkModel, forked.steps, forked.ending)
          expectSame(new Interpreter(store), model, scans)
          expectSame(fork, forkModel, scans)
        }
      ),
      { numRuns: 100 }
    )
  })
})

describe.each([orders, pets, inventory])(
  "many rows of $name that share what indexes are on",
  (described) => {
    const collection: Collection<Row> = described
    const inserted = fc.record({
      count: fc.constantFrom(MAX_ROW_IDS, MAX_ROW_IDS + 1, 3 * MAX_ROW_IDS, CHUNK_CAPACITY + 1),
      kinds: fc.array(rowOf(collection), { minLength: 2, maxLength: 12 })
    })

    test("are counted as in an array, while some of them move, are removed and come back", () => {
      fc.assert(
        fc.property(
          inserted,
          fc.array(transactionOf(collection), { minLength: 1, maxLength: 3 }),
          fc.array(scanOf(collection), { minLength: 2, maxLength: 4 }),
          ({ count, kinds }, transactions, scans) => {
            const store = new Store()
            const model = new NaiveTable(collection)
            const [first] = kinds
            if (first === undefined) return
            const rows = Array.from({ length: count }, (_, nth) =>
              besides(collection, kinds[nth % kinds.length] ?? first, first)
            )
            run(
              new Interpreter(store),
              model,
              rows.map((row) => ({ op: "insertUnread", row, pick: 0 })),
              "return"
            )
            const fork = new Interpreter(store.fork())
            const before = new NaiveTable(collection)
            Object.assign(before, { rows: model.rows, lastId: model.lastId })
            for (const { steps, ending } of transactions)
              run(new Interpreter(store), model, steps, ending)
            const here = collection.indexes
              .filter(({ unindexed }) => unindexed !== true)
              .map((index): Scan => {
                const prefix = index.on.map((column) => valueOf(first, column))
                const range = { index, prefix, atLeast: null, below: null }
                return {
                  op: "scan",
                  collection,
                  range,
                  descending: false,
                  after: null,
                  limit: 2 * CHUNK_CAPACITY
                }
              })
            expectSame(new Interpreter(store), model, [...here, ...scans])
            expectSame(fork, before, here)
          }
        ),
        { numRuns: 40 }
      )
    }, 60_000)
  }
)
