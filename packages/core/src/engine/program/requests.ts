/**
 * The words programs are written in. The casts of the program machinery are here and nowhere else:
 * a storage answers each request with what that request promises.
 */
import * as Either from "effect/Either"
import { isId } from "../../value/Id.js"
import type { Collection, Row } from "./Collection.js"
import type {
  Get,
  Position,
  Program,
  Put,
  Range,
  ReadProgram,
  ReadRequest,
  RefusalOf,
  Refuse,
  Request
} from "./Program.js"

/**
 * The row that a storage answers an `insert` with, for programs that yield it themselves: one
 * generator less to go through.
 */
export const answered = <R extends Row>(_collection: Collection<R>, answer: unknown): R => answer as R

/**
 * The request for the row with this id, for programs that yield it themselves; not for an id that
 * can't exist.
 */
export const getting = <R extends Row>(collection: Collection<R>, id: number): Get => ({
  op: "get",
  collection,
  id
})

/** What a storage answers that with. */
export const found = <R extends Row>(_collection: Collection<R>, answer: unknown): R | undefined =>
  answer as R | undefined

/** The id that a storage answers an `append` with. */
export const answeredId = (answer: unknown): number => answer as number

/** The row with this id, or undefined; an id that can't exist is not asked for. */
export function* get<R extends Row>(collection: Collection<R>, id: number): ReadProgram<R | undefined> {
  return isId(id) ? found(collection, yield getting(collection, id)) : undefined
}

/** The row with this id, or the refusal. */
export function* find<R extends Row, E>(
  collection: Collection<R>,
  id: number,
  missing: (id: number) => E
): ReadProgram<R, E> {
  // Not by `get`: whoever looks for one row does so often, and a generator costs as much as finding
  // it.
  const row = isId(id) ? found(collection, yield getting(collection, id)) : undefined
  return row ?? (yield* refuse(missing(id)))
}

/** At most `limit` rows of the range, in order, strictly after `after`. */
export function* scan<R extends Row>(
  collection: Collection<R>,
  range: Range,
  options: { readonly limit: number; readonly descending?: boolean; readonly after?: Position | null }
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
export function* count<R extends Row>(collection: Collection<R>, range: Range): ReadProgram<number> {
  return (yield { op: "count", collection, range }) as number
}

/** Stores a new row as revision 1 and returns it with the id it got. */
export function* insert<R extends Row>(
  collection: Collection<R>,
  fields: Omit<R, "id" | "revision"> & { readonly id?: number }
): Program<R> {
  return (yield { op: "insert", collection, row: fields }) as R
}

/** The request that replaces a row by its next revision, for programs that yield it themselves. */
export const replacing = <R extends Row>(
  collection: Collection<R>,
  row: R,
  changes: Partial<Omit<R, "id" | "revision">>
): Put => {
  const next = { ...row, revision: row.revision + 1 }
  const changed = Object.keys(changes).filter((column) => changes[column] !== row[column])
  const members: { [column: string]: unknown } = next
  for (const column of changed) members[column] = changes[column]
  return { op: "put", collection, row: next, changed }
}

/** Replaces a row by its next revision and returns that. */
export function* replace<R extends Row>(
  collection: Collection<R>,
  row: R,
  changes: Partial<Omit<R, "id" | "revision">>
): Program<R> {
  return (yield replacing(collection, row, changes)) as R
}

/** Replaces a row by this one, whose revision is given; `changed` names the columns that differ. */
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

/** The same of a row that is known by its id alone. */
export function* removeId<R extends Row>(collection: Collection<R>, id: number): Program<void> {
  yield { op: "remove", collection, id }
}

/** Ends the program with a refusal; nothing it wrote remains. */
export function* refuse<E>(error: E): ReadProgram<never, E> {
  yield { op: "refuse", error }
  throw new Error("a storage went on with a program that had refused")
}

/** The value a rule decided on, or its refusal. */
export function* orRefuse<A, E>(decided: Either.Either<A, E>): ReadProgram<A, E> {
  return Either.isRight(decided) ? decided.right : yield* refuse(decided.left)
}

/**
 * A program by the requests it yields, as a program by the refusals among them: the same, said in
 * the storages' words.
 */
export const programOf = <A, Yields extends Request | Refuse<unknown>>(
  start: () => Generator<Yields, A, unknown>
): (() => Program<A, RefusalOf<Yields>>) => start as () => Generator<never, A, unknown>

/** {@link programOf} for programs that only read. */
export const readProgramOf = <A, Yields extends ReadRequest | Refuse<unknown>>(
  start: () => Generator<Yields, A, unknown>
): (() => ReadProgram<A, RefusalOf<Yields>>) => start as () => Generator<never, A, unknown>
