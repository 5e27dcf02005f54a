/**
 * The declaration of a collection for storages: its columns, and the indexes that answer its lists.
 */

/**
 * A value of a column that can be filtered or sorted by. An absent value is null: all rows of a
 * collection have the same columns.
 */
export type Value = string | number | boolean | null

/** A whole row as one value, such as a record before a change. Indexes do not use such columns. */
export type Image = {
  readonly id: number
  readonly revision: number
  readonly [column: string]: Value
}

/**
 * A stored record. `id` is its key. `revision` starts at 1 and grows by one with every replacement,
 * so id and revision together identify one state of one record forever.
 */
export type Row = {
  readonly id: number
  readonly revision: number
  readonly [column: string]: Value | Image
}

/**
 * A row that is not stored yet. The storage assigns revision 1 and, if the key is assigned, the id.
 */
export type NewRow = { readonly id?: number; readonly [column: string]: Value | Image | undefined }

/** The value of a row in a column. Throws for a column of images. */
export const valueOf = (row: NewRow, column: string): Value => {
  const value = row[column] ?? null
  if (typeof value === "object" && value !== null) throw new Error(`${column} holds whole rows`)
  return value
}

/** One column of a collection. */
export type Column = {
  readonly type: "integer" | "text" | "boolean" | "image"
  /** Whether its integers are instants, in milliseconds since 1970. */
  readonly instant?: true
  /** Whether null may be stored. */
  readonly optional?: true
  /** The collection whose ids this column has. Storages may rely on the referenced row to exist. */
  readonly references?: Reference
  /** The collection whose rows are held by this column: their removal is refused meanwhile. */
  readonly holds?: Hold
  /**
   * All values of the column, if there are few. A list that does not filter by it merges one scan
   * for each value.
   */
  readonly values?: ReadonlyArray<string | boolean>
  /**
   * The column whose text this one holds folded, as `fold` does it. A storage may derive it, and
   * store only what it can't derive.
   */
  readonly folds?: string
  /** For a column of images: whose rows they are. */
  readonly imageOf?: ImageOf
}

/** A reference to a row of another collection. */
export type Reference<Missing = unknown> = {
  readonly collection: Collection<Row>
  /**
   * The refusal of a row whose referenced row is missing: `insertRow` and `replaceRow` check it.
   * Absent where every program that writes the column has read the referenced row.
   */
  readonly missing?: (id: number) => Missing
}

/** A column of ids that holds the rows of another collection for some time. */
export type Hold = {
  readonly collection: Collection<Row>
  /**
   * The values of the rows that hold. The other rows keep the id even when its row is removed, so
   * the column is no reference.
   */
  readonly while: Readonly<Record<string, Value>>
}

/** The collections whose rows a column of images holds. */
export type ImageOf = {
  /** The column that tells the collection of a row's images, by one of its `values`. */
  readonly column: string
  /** The collection for each of those values, in their order. */
  readonly collections: ReadonlyArray<Collection<Row>>
}

/**
 * An ordered index: rows are grouped by the `on` columns, ordered by `sort`, then by id. Null sorts
 * before every value, integers by size, false before true, texts by code point.
 */
export type Index = {
  readonly name: string
  readonly on: ReadonlyArray<string>
  readonly sort: string
  /**
   * A storage may store no index, so that writes do not pay for one: the rows are found by scanning
   * all rows between the bounds of a range in the order of ids, so `sort` is `id`. For rows that
   * are written often and read rarely. Lists of callers never use it.
   */
  readonly unindexed?: true
  /**
   * A storage may store the rows without a value of `sort` in the index by id on the same columns
   * instead. The collection must declare that index.
   */
  readonly nullsInIdIndex?: true
}

/** A count of rows that a storage may store, so that the total of a list needs no scan. */
export type StoredCount = {
  readonly name: string
  /** The columns that rows are counted by: one, or two of which the last has few values. */
  readonly on: readonly [string] | readonly [string, string]
}

/** The indexes that a storage stores. */
export const storedIndexes = ({
  indexes
}: Pick<Collection<Row>, "indexes">): ReadonlyArray<Index> =>
  indexes.filter(({ unindexed }) => unindexed !== true)

/** The columns of rows. */
export type Columns<R extends Row> = {
  readonly [C in Exclude<keyof R & string, "id" | "revision">]: Column
}

/**
 * The declaration of one kind of record for storages: its columns, its key and its indexes. `C` has
 * the errors of its references, and `InUse` that of a removal.
 */
export type Collection<R extends Row, C extends Columns<R> = Columns<R>, InUse = unknown> = {
  readonly name: string
  /**
   * "assigned": the storage assigns 1, 2, 3 …, and never the same id twice. "given": the row has
   * its id.
   */
  readonly key: "assigned" | "given"
  /**
   * The collection whose ids these rows have, where they have those of another one. Programs read
   * that row before they insert one, and a record is removed together with its other record.
   */
  readonly idOf?: Collection<Row>
  /** The refusal of a removal while rows of other collections refer to the row, or hold it. */
  readonly inUse?: (id: number) => InUse
  readonly columns: C
  readonly indexes: ReadonlyArray<Index>
  /** What rows are counted by. Any other count is made by counting rows. */
  readonly counts?: ReadonlyArray<StoredCount>
}

/** Declares a collection, and keeps the types of its columns and errors. */
export const collectionOf =
  <R extends Row>() =>
  <const C extends Columns<R>, InUse = never>(
    declaration: Collection<R, C, InUse>
  ): Collection<R, C, InUse> =>
    declaration

/** The index that every collection has without declaring it: all rows by id. */
export const BY_ID: Index = { name: "by_id", on: [], sort: "id" }
