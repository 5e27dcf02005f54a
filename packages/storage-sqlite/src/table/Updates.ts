/** The UPDATE statements of one table: one for each set of columns that change. */
import type { Command, Connection } from "../driver/Driver.js"
import type { CountIndex } from "../cache/CountIndex.js"
import type { Encode, RowCodec } from "../codec/RowCodec.js"

/** The most statements that are cached. */
const MAX_UPDATES = 200

/** An update of some columns. */
export type Update = {
  readonly statement: Command
  /** The values to write, in the order of the statement. */
  readonly encoders: ReadonlyArray<Encode>
  /** The counts that the update may change. */
  readonly counts: ReadonlyArray<CountIndex>
}

export class Updates {
  readonly #file: Connection
  readonly #table: string
  readonly #codec: RowCodec
  readonly #counts: ReadonlyArray<CountIndex>
  readonly #bits: ReadonlyMap<string, number>
  /** By the set of columns as bits. */
  readonly #updates = new Map<number, Update>()

  constructor(file: Connection, table: string, codec: RowCodec, counts: ReadonlyArray<CountIndex>) {
    this.#file = file
    this.#table = table
    this.#codec = codec
    this.#counts = counts
    this.#bits = new Map(codec.columns.map((column, at) => [column, 1 << at]))
  }

  /** The update of these columns, and of columns that are derived from them. */
  of(changed: ReadonlyArray<string>): Update {
    // To join the names into a key takes longer than to find the row. No table has more columns
    // than a number has bits.
    let key = 0
    for (const column of changed) key |= this.#bits.get(column) ?? 0
    const cached = this.#updates.get(key)
    if (cached !== undefined) return cached
    if (this.#updates.size >= MAX_UPDATES) this.#updates.clear()
    const update = this.#build(changed)
    this.#updates.set(key, update)
    return update
  }

  #build(changed: ReadonlyArray<string>): Update {
    const positions = this.#codec
      .columnsToWrite(changed)
      .map((column) => this.#codec.columns.indexOf(column))
    const sqlColumns = positions.map((position) => this.#codec.sqlColumns[position])
    const assignments = ["revision", ...sqlColumns].map((column) => `${column} = ?`).join(", ")
    return {
      statement: this.#file.command(`UPDATE ${this.#table} SET ${assignments} WHERE id = ?`),
      encoders: positions.flatMap((position) => this.#codec.strictEncoders[position] ?? []),
      counts: this.#counts.filter(({ on }) => on.some((column) => changed.includes(column)))
    }
  }
}
