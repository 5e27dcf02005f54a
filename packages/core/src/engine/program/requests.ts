/**
 * The functions that programs are written with. All casts of the program machinery are in this
 * file: they hold because a storage answers each request with the type of that request.
 */
import * as Either from "effect/Either"
import { isId } from "../../value/Id.js"
import type { Collection, Row } from "./Collection.js"
import type {
  Position,
  Program,
  Range,
  ReadProgram,
  ReadRequest,
  RefusalOf,
  Refuse,
  Request
} from "./Program.js"

/** The row with this id, or undefined. An id out of range is not looked up. */
export function* get<R extends Row>(
  collection: Collection<R>,
  id: number
): ReadProgram<R | undefined> {
  return isId(id) ? ((yield { op: "get", collection, id }) as R | undefined) : undefined
}

/** The row with this id; refuses if there is none. */
export function* find<R extends Row, E>(
  collection: Collection<R>,
  id: number,
  missing: (id: number) => E
): ReadProgram<R, E> {
  return (yield* get(collection, id)) ?? (yield* refuse(missing(id)))
}

/** At most `limit` rows of the range, in order, all after `after`. */
export function* scan<R extends Row>(
  collection: Collection<R>,
  range: Range,
  options: {
    readonly limit: number
    readonly descending?: boolean
    readonly after?: Position | null
  }
): ReadProgram<ReadonlyArray<R>> {
  return (yield {
    op: "scan",
    collection,
    range,
    descending: options.descending ?? false,
    after: options.after ?? null,
    limit: options.limit
  }) as ReadonlyArray<R>
}

/** How many rows the range has. */
export function* count<R extends Row>(
  collection: Collection<R>,
  range: Range
): ReadProgram<number> {
  return (yield { op: "count", collection, range }) as number
}

/** Stores a new row as revision 1 and returns it with its id. */
export function* insert<R extends Row>(
  collection: Collection<R>,
  fields: Omit<R, "id" | "revision"> & { readonly id?: number }
): Program<R> {
  return (yield { op: "insert", collection, row: fields }) as R
}

/** Stores a new row as revision 1 and returns its id alone. */
export function* append<R extends Row>(
  collection: Collection<R>,
  fields: Omit<R, "id" | "revision">
): Program<number> {
  const answer = yield { op: "insert", returning: false, collection, row: fields }
  return typeof answer === "number" ? answer : (answer as R).id
}

/** Replaces a row by its next revision and returns it. */
export function* replace<R extends Row>(
  collection: Collection<R>,
  row: R,
  changes: Partial<Omit<R, "id" | "revision">>
): Program<R> {
  const changed = Object.keys(changes).filter((column) => changes[column] !== row[column])
  const next = { ...row, revision: row.revision + 1 }
  const members: { [column: string]: unknown } = next
  for (const column of changed) members[column] = changes[column]
  return (yield { op: "put", collection, row: next, changed }) as R
}

/** Replaces a row by one with a given revision. `changed` names the columns that differ. */
export function* put<R extends Row>(
  collection: Collection<R>,
  row: R,
  changed: ReadonlyArray<string>
): Program<void> {
  yield { op: "put", collection, row, changed }
}

/** Removes the row. */
export function* remove<R extends Row>(collection: Collection<R>, row: R): Program<void> {
  yield { op: "remove", collection, id: row.id }
}

/** Removes the row with this id. */
export function* removeId<R extends Row>(collection: Collection<R>, id: number): Program<void> {
  yield { op: "remove", collection, id }
}

/** Ends the program with an error, and rolls back all its writes. */
export function* refuse<E>(error: E): ReadProgram<never, E> {
  yield { op: "refuse", error }
  throw new Error("a storage went on with a program that had refused")
}

/** The value of a rule; refuses with the error of the rule. */
export function* orRefuse<A, E>(decided: Either.Either<A, E>): ReadProgram<A, E> {
  return Either.isRight(decided) ? decided.right : yield* refuse(decided.left)
}

/**
 * Converts the type of a program from its requests to the errors among them, as storages take it.
 */
export const programOf = <A, Yields extends Request | Refuse<unknown>>(
  start: () => Generator<Yields, A, unknown>
): (() => Program<A, RefusalOf<Yields>>) => start as () => Generator<never, A, unknown>

/** {@link programOf} for programs that only read. */
export const readProgramOf = <A, Yields extends ReadRequest | Refuse<unknown>>(
  start: () => Generator<Yields, A, unknown>
): (() => ReadProgram<A, RefusalOf<Yields>>) => start as () => Generator<never, A, unknown>
