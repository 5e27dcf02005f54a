/**
 * What a storage has to know of a kind of record: its columns, and the indexes its lists are
 * answered from.
 */

/**
 * What a column can hold that is looked for or sorted by. Absent is null: rows of one collection
 * all have the same members.
 */
export type Value = string | number | boolean | null

/**
 * A whole row held as one value, such as a record as it was before a change. No index is on such a
 * column, nor sorted by it.
 */
export type Image = { readonly id: number; readonly revision: number; readonly [column: string]: Value }

/**
 * A record as stored. `id` is its key; `revision` starts at 1 and grows by one with every
 * replacement, so that id and revision together name one state of one record for ever.
 */
export type Row = {
  readonly id: number
  readonly revision: number
  readonly [column: string]: Value | Image
}

/**
 * A row that is not stored yet: the storage gives it revision 1 and, where it assigns ids, its id.
 */
export type NewRow = { readonly id?: number; readonly [column: string]: Value | Image | undefined }

/** What a row has in a column that can be looked for; a column of images can't. */
export const valueOf = (row: NewRow, column: string): Value => {
  const value = row[column] ?? null
  if (typeof value === "object" && value !== null) throw new Error(`${column} holds whole rows`)
  return value
}

/** One column of a collection. */
export type Column = {
  readonly type: "integer" | "text" | "boolean" | "image"
  /** Whether null may be stored. */
  readonly optional?: true
  /**
   * The collection whose ids this column holds, where a storage may rely on the row being there.
   */
  readonly references?: string
  /**
   * All values the column can have, where they are few; a list that does not filter by it merges
   * one scan for each.
   */
  readonly values?: ReadonlyArray<string | boolean>
}

/**
 * An ordered index: rows with equal `on` columns stand together, ordered by `sort`, then by id.
 * Null sorts before every value, integers by size, false before true, texts by code point.
 */
export type Index = {
  readonly name: string
  readonly on: ReadonlyArray<string>
  readonly sort: string
  /**
   * No list is kept for it, which writing would pay for: its rows are found by looking at all
   * between the bounds of a range, in the order of ids, so `sort` is `id`. For what is written all
   * the time and asked now and then; no list of callers is answered from it.
   */
  readonly scanned?: true
}

/** The indexes that lists are kept for. */
export const keptIndexes = ({ indexes }: Pick<Collection<Row>, "indexes">): ReadonlyArray<Index> =>
  indexes.filter(({ scanned }) => scanned !== true)

/**
 * What a storage has to know of one kind of record: its columns, its key, and what it is looked up
 * by.
 */
export type Collection<R extends Row> = {
  readonly name: string
  /**
   * "assigned": the storage gives 1, 2, 3 …, never an id it gave before. "given": the row brings
   * its id.
   */
  readonly key: "assigned" | "given"
  readonly columns: { readonly [C in Exclude<keyof R & string, "id" | "revision">]: Column }
  readonly indexes: ReadonlyArray<Index>
}

/** The index every collection has without naming it: all rows by id. */
export const BY_ID: Index = { name: "by_id", on: [], sort: "id" }
