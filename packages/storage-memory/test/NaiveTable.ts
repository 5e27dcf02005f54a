/** The contract of a table as plainly as possible: an array, sorted and filtered by every query. */
import {
  type Collection,
  type Range,
  type Row,
  type Scan,
  type Value,
  valueOf
} from "@petstore/core/storage"

const rank = (value: Value): number => (value === null ? 0 : 1)

/** UTF-8 bytes sort by code point. */
const compare = (left: Value, right: Value): number => {
  if (left === null || right === null) return rank(left) - rank(right)
  if (typeof left === "string" && typeof right === "string") {
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  }
  return Number(left) - Number(right)
}

export class NaiveTable {
  rows: ReadonlyArray<Row> = []
  lastId = 0
  readonly collection: Collection<Row>

  constructor(collection: Collection<Row>) {
    this.collection = collection
  }

  insert(row: Row): Row {
    const stored = this.collection.key === "assigned" ? { ...row, id: ++this.lastId } : row
    this.rows = [...this.rows, stored]
    return stored
  }

  put(row: Row): void {
    this.rows = this.rows.map((other) => (other.id === row.id ? row : other))
  }

  remove(id: number): void {
    this.rows = this.rows.filter((row) => row.id !== id)
  }

  deleteBelow(below: number): void {
    this.rows = this.rows.filter((row) => row.id >= below)
  }

  scan(scan: Scan): ReadonlyArray<Row> {
    const sort = scan.range.index.sort
    const after = scan.after
    const rows = this.range(scan.range)
    const ordered = scan.descending ? rows.toReversed() : rows
    return ordered
      .filter((row) => {
        if (after === null) return true
        const order = compare(valueOf(row, sort), after.value) || row.id - after.id
        return scan.descending ? order < 0 : order > 0
      })
      .slice(0, scan.limit)
  }

  range({ index, prefix, atLeast, below }: Range): ReadonlyArray<Row> {
    const sort = index.sort
    return this.rows
      .filter((row) => index.on.every((column, at) => row[column] === prefix[at]))
      .filter((row) => atLeast === null || compare(valueOf(row, sort), atLeast) >= 0)
      .filter((row) => below === null || compare(valueOf(row, sort), below) < 0)
      .toSorted(
        (left, right) => compare(valueOf(left, sort), valueOf(right, sort)) || left.id - right.id
      )
  }
}
