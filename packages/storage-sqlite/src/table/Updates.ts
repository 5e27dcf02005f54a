/** The statements that replace rows of one table: one for each set of columns that change. */
import type { Command, Connection } from "../driver/Driver.js"
import type { CountIndex } from "../cache/CountIndex.js"
import type { Encode, RowCodec } from "../codec/RowCodec.js"

/** At most so many statements are kept. */
const MAX_UPDATES = 200

/** A replacement of some columns. */
export type Update = {
  readonly statement: Command
  /** What is written, in the order of the statement. */
  readonly encoders: ReadonlyArray<Encode>
  /** The counts that it may change. */
  readonly moved: ReadonlyArray<CountIndex>
}

export class Updates {
  readonly #file: Connection
  readonly #table: string
  readonly #codec: RowCodec
  readonly #counts: ReadonlyArray<CountIndex>
  readonly #bits: ReadonlyMap<string, number>
  /** By which columns they change. */
  readonly #updates = new Map<number, Update>()

  constructor(file: Connection, table: string, codec: RowCodec, counts: ReadonlyArray<CountIndex>) {
    this.#file = file
    this.#table = table
    this.#codec = codec
    this.#counts = counts
    this.#bits = new Map(codec.columns.map((column, at) => [column, 1 << at]))
  }

  /** The one that writes these columns, and what follows from them. */
  of(changed: ReadonlyArray<string>): Update {
    // A text of their names takes longer to put together than the row to be found. No table has
    // more columns than a number has bits.
    let key = 0
    for (const column of changed) key |= this.#bits.get(column) ?? 0
    const known = this.#updates.get(key)
    if (known !== undefined) return known
    if (this.#updates.size >= MAX_UPDATES) this.#updates.clear()
    const update = this.#made(changed)
    this.#updates.set(key, update)
    return update
  }

  #made(changed: ReadonlyArray<string>): Update {
    const places = this.#codec
      .concerned(changed)
      .map((column) => this.#codec.columns.indexOf(column))
    const written = places.map((place) => this.#codec.written[place])
    const assignments = ["revision", ...written].map((column) => `${column} = ?`).join(", ")
    return {
      statement: this.#file.command(`UPDATE ${this.#table} SET ${assignments} WHERE id = ?`),
      encoders: places.flatMap((place) => this.#codec.stored[place] ?? []),
      moved: this.#counts.filter(({ on }) => on.some((column) => changed.includes(column)))
    }
  }
}
