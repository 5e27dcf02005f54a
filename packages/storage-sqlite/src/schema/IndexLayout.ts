/**
 * Which SQLite indexes hold the rows of an index of core. If one of its columns is an enumeration,
 * it has a partition for each value: a partial index that need not store the value. Rows without a
 * value in an optional sort column are sorted by id, just as in the index of the same columns by
 * id. So both share a partial index of those rows, and an order without a ship date is in half as
 * many indexes.
 */
import {
  BY_ID,
  type Collection,
  type Column,
  type Index,
  storedIndexes,
  type Row
} from "@petstore/core/storage"
import { indexName, sqlName } from "../base/names.js"

/** A SQLite index, or the table itself, which is sorted by id. */
export type RowSource = {
  /** Undefined for the table. */
  readonly name: string | undefined
  /** The condition of the partial index in SQL, apart from the value of its partition. */
  readonly condition: string | undefined
}

export type IndexLayout = {
  /** The position of the partition's value in the prefix; -1 if there is only one partition. */
  readonly partitionPosition: number
  /** Whether rows without a value in the sort column have their own source. */
  readonly separatesNulls: boolean
  /** The sources of each partition. Each has some of the rows, in the order of the index. */
  readonly partitions: ReadonlyArray<{
    /** Of rows with a value in the sort column; of all rows if nulls are not separate. */
    readonly rows: ReadonlyArray<RowSource>
    /** Of rows without a value, if nulls are separate. */
    readonly nulls: ReadonlyArray<RowSource>
  }>
}

const TABLE: RowSource = { name: undefined, condition: undefined }

const columnOf = (collection: Collection<Row>, name: string): Column | undefined => {
  const columns: Readonly<Record<string, Column>> = collection.columns
  return columns[name]
}

/** The column that partitions the index: an enumeration, unless it is the only column. */
const partitionColumnOf = (collection: Collection<Row>, { on, sort }: Index): string | undefined =>
  on.length === 1 && sort === "id"
    ? undefined
    : on.find((column) => columnOf(collection, column)?.values !== undefined)

/**
 * For an index with separate nulls: the index by id that shares them. For such an index by id: the
 * sorted one.
 */
const counterpartOf = (collection: Collection<Row>, index: Index): Index | undefined => {
  const related = storedIndexes(collection).filter((other) => other.on.join() === index.on.join())
  if (index.nullsInIdIndex !== true)
    return index.sort === "id"
      ? related.find(({ nullsInIdIndex }) => nullsInIdIndex === true)
      : undefined
  const byId = related.find(({ sort }) => sort === "id")
  if (byId === undefined)
    throw new Error(`${collection.name} has no index by id to share the nulls of ${index.name}`)
  return byId
}

export const indexLayoutOf = (collection: Collection<Row>, index: Index): IndexLayout => {
  const unpartitioned = { partitionPosition: -1, separatesNulls: false }
  if (index.name === BY_ID.name || index.unindexed === true)
    return { ...unpartitioned, partitions: [{ rows: [TABLE], nulls: [] }] }

  const partitionColumn = partitionColumnOf(collection, index)
  const partitionPosition = partitionColumn === undefined ? -1 : index.on.indexOf(partitionColumn)
  const eachPartition = <A>(make: (partition: number) => A): ReadonlyArray<A> =>
    (columnOf(collection, partitionColumn ?? "")?.values ?? [undefined]).map((_, partition) =>
      make(partition)
    )
  const nameOf = (of: Index, partition: number): string =>
    indexName(
      collection.name,
      of.name,
      partitionColumnOf(collection, of) === undefined ? undefined : partition
    )

  const counterpart = counterpartOf(collection, index)
  if (counterpart === undefined)
    return {
      ...unpartitioned,
      partitionPosition,
      partitions: eachPartition((partition) => ({
        rows: [{ name: nameOf(index, partition), condition: undefined }],
        nulls: []
      }))
    }
  const [byId, sorted] = index.sort === "id" ? [index, counterpart] : [counterpart, index]
  const column = sqlName(sorted.sort)
  const withValue = (name: string): RowSource => ({ name, condition: `${column} IS NOT NULL` })
  const withoutValue = (partition: number): RowSource => ({
    name: `${nameOf(byId, partition)}_without_${column}`,
    condition: `${column} IS NULL`
  })
  return index === byId
    ? {
        partitionPosition,
        separatesNulls: false,
        partitions: eachPartition((partition) => ({
          rows: [withoutValue(partition), withValue(`${nameOf(byId, partition)}_with_${column}`)],
          nulls: []
        }))
      }
    : {
        partitionPosition,
        separatesNulls: true,
        partitions: eachPartition((partition) => ({
          rows: [withValue(nameOf(sorted, partition))],
          nulls: [withoutValue(partition)]
        }))
      }
}
