/** The counts that are kept, of all collections, as a transaction keeps, undoes and stores them. */
import type { Collection, Row } from "@petstore/core"
import type { Prepare } from "./IndexQueries.js"
import type { RowCodec } from "./RowCodec.js"
import { Tally, type TallyDescription } from "./Tally.js"

/** What lists with a total filter by. Totals of anything else are counted when they are asked for. */
const TALLIED: Readonly<Record<string, ReadonlyArray<TallyDescription>>> = {
  pets: [
    { name: "pets_status", on: ["status"] },
    { name: "pets_category_status", on: ["categoryId", "status"] }
  ],
  inventory: [{ name: "inventory_status", on: ["status"] }],
  orders: [{ name: "orders_complete", on: ["complete"] }]
}

export class Tallies {
  readonly #all: Array<Tally> = []

  /** The tallies of one collection, on the connection that `prepare` is of. */
  of(prepare: Prepare, { name }: Collection<Row>, codec: RowCodec): ReadonlyArray<Tally> {
    const tallies = (TALLIED[name] ?? []).map((described) => new Tally(prepare, described, codec))
    this.#all.push(...tallies)
    return tallies
  }

  keep(): void {
    for (const tally of this.#all) tally.keep()
  }

  undo(): void {
    for (const tally of this.#all) tally.undo()
  }

  store(): void {
    for (const tally of this.#all) tally.store()
  }

  forget(): void {
    for (const tally of this.#all) tally.forget()
  }
}
