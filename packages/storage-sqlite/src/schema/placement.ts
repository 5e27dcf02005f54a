/**
 * Which of SQLite's indexes have the rows of an index of core. A column of few values is told by
 * the index, of which there is one for each value. Rows without a value of an optional sort column
 * stand in the order of ids, as they do in the index of the same rows by id: so they are kept once
 * for both, and that one has the rows with a value apart. An order without a ship date is in half
 * as many lists then.
 */
import {
  BY_ID,
  type Collection,
  type Column,
  type Index,
  keptIndexes,
  type Row
} from "@petstore/core/storage"
import { indexName, sqlName } from "../base/names.js"

/** One of SQLite's indexes, or the table itself, which is in the order of ids. */
export type Place = {
  /** Undefined for the table. */
  readonly name: string | undefined
  /** What all of its rows have, beside the value of their part, in SQL. */
  readonly condition: string | undefined
}

export type Placement = {
  /**
   * Where in the prefix the value stands that says which part of the index it is; -1 for an index
   * of one part.
   */
  readonly partAt: number
  /**
   * Whether rows without a value of the sort column are in another place than those with one: no
   * segment has both.
   */
  readonly hasNullsApart: boolean
  /** For each part, where its rows are. Each place has some of them, in the order of the index. */
  readonly parts: ReadonlyArray<{
    /** Those that have a value of the sort column, or all where nulls are not apart. */
    readonly rows: ReadonlyArray<Place>
    /** Those that have none, where they are apart. */
    readonly nulls: ReadonlyArray<Place>
  }>
}

const TABLE: Place = { name: undefined, condition: undefined }

const columnOf = (collection: Collection<Row>, name: string): Column | undefined => {
  const columns: Readonly<Record<string, Column>> = collection.columns
  return columns[name]
}

/** The column of few values, unless the index has nothing else. */
const partedBy = (collection: Collection<Row>, { on, sort }: Index): string | undefined =>
  on.length === 1 && sort === "id"
    ? undefined
    : on.find((column) => columnOf(collection, column)?.values !== undefined)

/**
 * For an index whose rows without a value are apart, the index by id that has them; for that one,
 * the former.
 */
const counterpartOf = (collection: Collection<Row>, index: Index): Index | undefined => {
  const related = keptIndexes(collection).filter((other) => other.on.join() === index.on.join())
  if (index.nullsApart !== true)
    return index.sort === "id" ? related.find(({ nullsApart }) => nullsApart === true) : undefined
  const byId = related.find(({ sort }) => sort === "id")
  if (byId === undefined)
    throw new Error(
      `${collection.name} has no index by id for the rows that ${index.name} has apart`
    )
  return byId
}

export const placementOf = (collection: Collection<Row>, index: Index): Placement => {
  const whole = { partAt: -1, hasNullsApart: false }
  if (index.name === BY_ID.name || index.unindexed === true)
    return { ...whole, parts: [{ rows: [TABLE], nulls: [] }] }

  const parted = partedBy(collection, index)
  const partAt = parted === undefined ? -1 : index.on.indexOf(parted)
  const each = <A>(make: (part: number) => A): ReadonlyArray<A> =>
    (columnOf(collection, parted ?? "")?.values ?? [undefined]).map((_, part) => make(part))
  const nameOf = (of: Index, part: number): string =>
    indexName(collection.name, of.name, partedBy(collection, of) === undefined ? undefined : part)

  const counterpart = counterpartOf(collection, index)
  if (counterpart === undefined)
    return {
      ...whole,
      partAt,
      parts: each((part) => ({
        rows: [{ name: nameOf(index, part), condition: undefined }],
        nulls: []
      }))
    }
  const [byId, sorted] = index.sort === "id" ? [index, counterpart] : [counterpart, index]
  const column = sqlName(sorted.sort)
  const having = (name: string): Place => ({ name, condition: `${column} IS NOT NULL` })
  const without = (part: number): Place => ({
    name: `${nameOf(byId, part)}_without_${column}`,
    condition: `${column} IS NULL`
  })
  return index === byId
    ? {
        partAt,
        hasNullsApart: false,
        parts: each((part) => ({
          rows: [without(part), having(`${nameOf(byId, part)}_with_${column}`)],
          nulls: []
        }))
      }
    : {
        partAt,
        hasNullsApart: true,
        parts: each((part) => ({ rows: [having(nameOf(sorted, part))], nulls: [without(part)] }))
      }
}
