/**
 * Writes rows by the declaration of their collection: folds its texts, and checks its references.
 * Programs of every collection write with these; `insert` and `replace` are the bare requests.
 */
import { fold } from "../../value/Text.js"
import type { Collection, Columns, NewRow, Row } from "./Collection.js"
import type { Program } from "./Program.js"
import { find, insert, replace } from "./requests.js"

/** The columns whose values derive from another column. */
type FoldedColumns<C> = {
  [K in keyof C]: C[K] extends { readonly folds: string } ? K : never
}[keyof C]

/** The errors of the references in the columns `K`. */
export type MissingIn<C, K> = {
  [Name in keyof C]: Name extends K
    ? C[Name] extends { readonly references: { readonly missing: (id: number) => infer Missing } }
      ? Missing
      : never
    : never
}[keyof C]

/** The fields of a new row, without those that derive from another one. */
export type NewFields<R extends Row, C> = Omit<R, "id" | "revision" | FoldedColumns<C>> & {
  readonly id?: number
}

/** The columns that a program writes itself. */
export type Writable<R extends Row, C> = Exclude<
  keyof R & string,
  "id" | "revision" | FoldedColumns<C>
>

/** New values of some columns. */
export type Changes<R extends Row, K extends keyof R> = { readonly [Name in K]?: R[Name] }

/**
 * Stores a new row as revision 1 and returns it. Refuses a reference to a missing row. The casts of
 * both functions hold because the types of a collection are those of its declaration.
 */
export const insertRow = <R extends Row, C extends Columns<R>>(
  collection: Collection<R, C>,
  fields: NewFields<R, C>
): Program<R, MissingIn<C, keyof C>> => {
  const { folds, references } = writingOf(collection)
  const row = withFolded(fields, folds)
  const inserting = insert(collection, row as Omit<R, "id" | "revision">)
  return references.length === 0
    ? inserting
    : checked<R, MissingIn<C, keyof C>>(references, row, inserting)
}

/**
 * Replaces a row by its next revision and returns it. Refuses a changed reference to a missing row.
 */
export const replaceRow = <R extends Row, C extends Columns<R>, K extends Writable<R, C>>(
  collection: Collection<R, C>,
  row: R,
  changes: Changes<R, K>
): Program<R, MissingIn<C, K>> => {
  const { folds, references } = writingOf(collection)
  const next = withFolded(changes, folds)
  const replacing = replace(collection, row, next as Partial<Omit<R, "id" | "revision">>)
  const changed = references.filter(
    ({ column }) => next[column] !== undefined && next[column] !== row[column]
  )
  return changed.length === 0 ? replacing : checked<R, MissingIn<C, K>>(changed, next, replacing)
}

/** Writes a row if its references exist. */
function* checked<A, E>(
  references: Writing["references"],
  row: NewRow,
  write: Program<A>
): Program<A, E> {
  for (const { column, parent, missing } of references) {
    const id = row[column]
    if (typeof id === "number") yield* find(parent, id, missing as Missing<E>)
  }
  return yield* write
}

type Missing<E> = (id: number) => E

/** What writes of a collection fill in, and what they check. */
type Writing = {
  readonly folds: ReadonlyArray<{ readonly column: string; readonly of: string }>
  readonly references: ReadonlyArray<{
    readonly column: string
    readonly parent: Collection<Row>
    readonly missing: Missing<unknown>
  }>
}

const WRITING = new WeakMap<object, Writing>()

const writingOf = (collection: { readonly columns: Columns<Row> }): Writing => {
  const existing = WRITING.get(collection)
  if (existing !== undefined) return existing
  const columns = Object.entries(collection.columns)
  const writing = {
    folds: columns.flatMap(([column, { folds }]) =>
      folds === undefined ? [] : { column, of: folds }
    ),
    references: columns.flatMap(([column, { references }]) =>
      references?.missing === undefined
        ? []
        : { column, parent: references.collection, missing: references.missing }
    )
  }
  WRITING.set(collection, writing)
  return writing
}

/** The fields with the folded form of each text among them. */
const withFolded = (fields: NewRow, folds: Writing["folds"]): NewRow => {
  if (folds.length === 0) return fields
  // Not a spread, which takes microseconds on Node 20 where members are added afterwards.
  const row: { [column: string]: NewRow[string] } = Object.assign({}, fields)
  for (const { column, of } of folds) {
    const text = row[of]
    if (typeof text === "string") row[column] = fold(text)
  }
  return row
}
