/**
 * Storages whose programs are rewritten on the way, so that one storage is checked with and without
 * what a request or a declaration leaves to it.
 */
import {
  type Collection,
  COLLECTIONS,
  Collections,
  get,
  intercept,
  type Index,
  type Program,
  type ReadProgram,
  type Request,
  type Row,
  Storage
} from "@petstore/core/storage"
import { Context, Layer } from "effect"

/** Rewrites the programs that a storage is given. */
type Rewrite = {
  readonly read: <A, E>(program: ReadProgram<A, E>) => ReadProgram<A, E>
  readonly write: <A, E>(program: Program<A, E>) => Program<A, E>
}

const rewriting = <R, E>(
  layer: Layer.Layer<Storage | R, E>,
  { read, write }: Rewrite
): Layer.Layer<Storage | R, E> =>
  Layer.map(layer, (ports) => {
    const storage = Context.unsafeGet(ports, Storage)
    return Context.add(ports, Storage, {
      read: (start) => storage.read(() => read(start())),
      write: (start) => storage.write(() => write(start()))
    })
  })

/** No insert is answered with its row: a program asks for that. */
const noRowBack: Rewrite = {
  read: (program) => program,
  write: (program) =>
    intercept(program, function* (request): Program<unknown> {
      if (request.op !== "insert" || request.returning === false) return yield request
      const answer = yield { ...request, returning: false }
      return typeof answer === "number" ? yield* get(request.collection, answer) : answer
    })
}

/** Every insert is answered with its row. */
const everyRowBack: Rewrite = {
  read: (program) => program,
  write: (program) =>
    intercept(program, function* (request): Program<unknown> {
      if (request.op !== "insert") return yield request
      const { op, collection, row } = request
      return yield { op, collection, row }
    })
}

/** Requests are about collections that are declared otherwise. */
const about = (collections: ReadonlyArray<Collection<Row>>): Rewrite => {
  const declared = new Map(collections.map((each) => [each.name, each]))
  const declaredAs = <R extends Request>(request: R): R => {
    const collection = declared.get(request.collection.name) ?? request.collection
    if (!("range" in request)) return { ...request, collection }
    const { range } = request
    const index = collection.indexes.find(({ name }) => name === range.index.name) ?? range.index
    return { ...request, collection, range: { ...range, index } }
  }
  return {
    read: (program) =>
      intercept(program, function* (request) {
        return yield declaredAs(request)
      }),
    write: (program) =>
      intercept(program, function* (request) {
        return yield declaredAs(request)
      })
  }
}

const withIndexes = (change: (index: Index, others: ReadonlyArray<Index>) => Index) =>
  COLLECTIONS.map((collection): Collection<Row> =>
    Object.assign({}, collection, {
      indexes: collection.indexes.map((index) => change(index, collection.indexes))
    })
  )

const EVERY_INDEX_STORED = withIndexes(({ name, on, sort, nullsInIdIndex }) =>
  nullsInIdIndex === true ? { name, on, sort, nullsInIdIndex } : { name, on, sort }
)

/** All that may be: those by id, but for those that have rows of another index. */
const MOST_UNINDEXED = withIndexes((index, others) =>
  index.sort === "id" &&
  !others.some(({ nullsInIdIndex, on }) => nullsInIdIndex === true && on.join() === index.on.join())
    ? { ...index, unindexed: true }
    : index
)

/** A storage with and without what requests and declarations offer to it. */
export const variantsOf = <R, E>(layer: Layer.Layer<Storage | R, E>) => {
  const declaredAs = (collections: ReadonlyArray<Collection<Row>>) =>
    rewriting(Layer.provide(layer, Layer.succeed(Collections, collections)), about(collections))
  return {
    "with inserts that return no row": rewriting(layer, noRowBack),
    "without inserts that return no row": rewriting(layer, everyRowBack),
    "with unindexed indexes by id": declaredAs(MOST_UNINDEXED),
    "without unindexed indexes": declaredAs(EVERY_INDEX_STORED)
  }
}
