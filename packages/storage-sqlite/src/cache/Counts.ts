/** The totals that are kept, of all collections, as a transaction keeps, undoes and stores them. */
import type { Collection, Row } from "@petstore/core"
import type { Prepare } from "../table/IndexQueries.js"
import type { RowCodec } from "../codec/RowCodec.js"
import type { CountDescription } from "./CountIndex.js"
import { CollectionCounts } from "./CollectionCounts.js"

/** What lists with a total filter by. CollectionCounts of anything else are counted when they are asked for. */
const COUNTED: Readonly<Record<string, ReadonlyArray<CountDescription>>> = {
  pets: [
    { name: "pets_status", on: ["status"] },
    { name: "pets_category_status", on: ["categoryId", "status"] }
  ],
  inventory: [{ name: "inventory_status", on: ["status"] }],
  orders: [{ name: "orders_complete", on: ["complete"] }]
}

export class Counts {
  readonly #all: Array<CollectionCounts> = []

  /** The totals of one collection, on the connection that `prepare` is of; undefined where none are kept. */
  of(prepare: Prepare, collection: Collection<Row>, codec: RowCodec): CollectionCounts | undefined {
    const described = COUNTED[collection.name]
    if (described === undefined) return undefined
    const totals = new CollectionCounts(prepare, collection, described, codec)
    this.#all.push(totals)
    return totals
  }

  keep(): void {
    for (const totals of this.#all) totals.keep()
  }

  undo(): void {
    for (const totals of this.#all) totals.undo()
  }

  store(): void {
    for (const totals of this.#all) totals.store()
  }

  forget(): void {
    for (const totals of this.#all) totals.forget()
  }
}
