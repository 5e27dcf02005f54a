/**
 * Transaction programs: generators that yield requests to a storage and return an answer. A program
 * knows no storage and no effect system; a storage is an interpreter of programs. A program may be
 * started again from the beginning (after a conflict, or in a test), so it does nothing but yield
 * requests.
 */
import { BY_ID, type Collection, type Index, type NewRow, type Row, type Value } from "./Collection.js"

/** Reads one row, or undefined. */
export type Get = { readonly op: "get"; readonly collection: Collection<Row>; readonly id: number }

/**
 * Bounds of a scan within an index: all rows whose `on` columns equal `prefix`, narrowed by the
 * sort column.
 */
export type Range = {
  readonly index: Index
  readonly prefix: ReadonlyArray<Value>
  /** The least value of the sort column that is in the range; null for no bound. */
  readonly atLeast: Value
  /** The least value of the sort column that is above the range; null for no bound. */
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
 * A place in an index, whether or not a row stands there: a sort value and the id that breaks ties.
 */
export type Position = { readonly value: Value; readonly id: number }

/** Counts the rows of a range. */
export type Count = { readonly op: "count"; readonly collection: Collection<Row>; readonly range: Range }

/**
 * Stores a new row as revision 1; `id` is ignored where the storage assigns it. Answers with the
 * row as stored.
 */
export type Insert = { readonly op: "insert"; readonly collection: Collection<Row>; readonly row: NewRow }

/**
 * Stores a new row, as `insert` does, and answers with its id alone: for what is written all the
 * time, and looked at by others and later.
 */
export type Append = { readonly op: "append"; readonly collection: Collection<Row>; readonly row: NewRow }

/**
 * Replaces the row that has this id, and answers with the row as stored. The row exists: replacing
 * what is not there is a defect. `changed` names the columns in which it differs from what is
 * stored, beside `revision`; a storage may leave the others alone.
 */
export type Put = {
  readonly op: "put"
  readonly collection: Collection<Row>
  readonly row: Row
  readonly changed: ReadonlyArray<string>
}

/** Removes the row that has this id. The row exists: removing what is not there is a defect. */
export type Remove = { readonly op: "remove"; readonly collection: Collection<Row>; readonly id: number }

/** Removes every row of which the id is less than `below`; there may be none. */
export type Trim = { readonly op: "trim"; readonly collection: Collection<Row>; readonly below: number }

/** Ends the program with a typed refusal; everything it wrote is rolled back. */
export type Refuse<E> = { readonly op: "refuse"; readonly error: E }

/** What a reading program may ask of a storage. */
export type ReadRequest = Get | Scan | Count

/** What a program may have changed. */
export type WriteRequest = Insert | Append | Put | Remove | Trim

/** What a program may ask of a storage. */
export type Request = ReadRequest | WriteRequest

/** Whether what a program yields changes rows. */
export const isWrite = (request: Request | Refuse<unknown>): request is WriteRequest =>
  request.op === "insert" ||
  request.op === "append" ||
  request.op === "put" ||
  request.op === "remove" ||
  request.op === "trim"

/** A program that only reads. It sees one state of the store from its first request to its last. */
export type ReadProgram<A, E = never> = Generator<ReadRequest | Refuse<E>, A, unknown>

/**
 * A program that may write. Its writes are seen by its own later requests, and by others all
 * together or not at all.
 */
export type Program<A, E = never> = Generator<Request | Refuse<E>, A, unknown>

/** What the refusals among the requests of a program carry. */
export type RefusalOf<Requests> = Requests extends Refuse<infer E> ? E : never
