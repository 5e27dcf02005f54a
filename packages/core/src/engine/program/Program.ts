/**
 * Transaction programs: generators that yield requests to a storage and return a result. A program
 * depends on no storage and no effect system; a storage is an interpreter of programs. A program
 * may be started again from the beginning (after a conflict, or in a test), so yielding requests is
 * its only side effect.
 */
import {
  BY_ID,
  type Collection,
  type Index,
  type NewRow,
  type Row,
  type Value
} from "./Collection.js"

/** Reads one row, or undefined. */
export type Get = { readonly op: "get"; readonly collection: Collection<Row>; readonly id: number }

/**
 * Bounds of a scan within an index: all rows whose `on` columns equal `prefix`, narrowed by the
 * sort column.
 */
export type Range = {
  readonly index: Index
  readonly prefix: ReadonlyArray<Value>
  /** The inclusive lower bound of the sort column; null for no bound. */
  readonly atLeast: Value
  /** The exclusive upper bound of the sort column; null for no bound. */
  readonly below: Value
}

/** The rows of a whole collection, by id. */
export const EVERY_ROW: Range = { index: BY_ID, prefix: [], atLeast: null, below: null }

/**
 * Reads the first `limit` rows of a range, ascending or descending, strictly after the position
 * `after`.
 */
export type Scan = {
  readonly op: "scan"
  readonly collection: Collection<Row>
  readonly range: Range
  readonly descending: boolean
  readonly after: Position | null
  readonly limit: number
}

/**
 * A position in an index, whether or not it has a row: a sort value, and the id that breaks ties.
 */
export type Position = { readonly value: Value; readonly id: number }

/** Counts the rows of a range. */
export type Count = {
  readonly op: "count"
  readonly collection: Collection<Row>
  readonly range: Range
}

/**
 * Stores a new row as revision 1. `id` is ignored if the storage assigns it. Returns the stored
 * row. With `returning: false` the program uses only the id, so a storage may return the id alone.
 */
export type Insert = {
  readonly op: "insert"
  readonly collection: Collection<Row>
  readonly row: NewRow
  readonly returning?: false
}

/**
 * Replaces the row with this id and returns the stored row. A missing row is a defect. `changed`
 * names the columns that differ from the stored row, besides `revision`; a storage need not write
 * the others.
 */
export type Put = {
  readonly op: "put"
  readonly collection: Collection<Row>
  readonly row: Row
  readonly changed: ReadonlyArray<string>
}

/** Removes the row with this id. A missing row is a defect. */
export type Remove = {
  readonly op: "remove"
  readonly collection: Collection<Row>
  readonly id: number
}

/** Removes every row with an id less than `below`, if there are any. */
export type DeleteBelow = {
  readonly op: "deleteBelow"
  readonly collection: Collection<Row>
  readonly below: number
}

/** Ends the program with a typed error, and rolls back all its writes. */
export type Refuse<E> = { readonly op: "refuse"; readonly error: E }

/** The requests of programs that only read. */
export type ReadRequest = Get | Scan | Count

/** The requests that write. */
export type WriteRequest = Insert | Put | Remove | DeleteBelow

/** Every request to a storage. */
export type Request = ReadRequest | WriteRequest

/** Whether a request changes rows. */
export const isWrite = (request: Request | Refuse<unknown>): request is WriteRequest =>
  request.op === "insert" ||
  request.op === "put" ||
  request.op === "remove" ||
  request.op === "deleteBelow"

/** A program that only reads. All its requests see the same state of the store. */
export type ReadProgram<A, E = never> = Generator<ReadRequest | Refuse<E>, A, unknown>

/**
 * A program that may write. Its own later requests see its writes; other programs see all of them
 * or none.
 */
export type Program<A, E = never> = Generator<Request | Refuse<E>, A, unknown>

/** The errors of the refusals among the requests of a program. */
export type RefusalOf<Requests> = Requests extends Refuse<infer E> ? E : never
