/** Tells whether what was read is still so: by what this connection changed, and whether any other changed anything. */
import type { Collection, Row } from "@petstore/core"
import { failureOrThrow } from "./sqliteFailure.js"
import type { Tables } from "./Tables.js"
import type { View } from "./View.js"

export class Edition {
  readonly #tables: Tables
  readonly #view: View
  /** What the tables told of others in the last view, in which it stays the same. */
  #seen = Number.NaN
  #seenIn = 0

  constructor(tables: Tables, view: View) {
    this.#tables = tables
    this.#view = view
  }

  /** Grows whenever a row may have changed. This connection changes and commits in one go, so nobody reads in between. */
  of(collections: ReadonlyArray<Collection<Row>>): number {
    try {
      return this.#othersNow() + this.#tables.changes(collections)
    } catch (thrown) {
      this.#view.close()
      failureOrThrow(thrown, "read")
      return Number.NaN
    }
  }

  #othersNow(): number {
    if (!this.#view.isShared()) return this.#tables.others()
    if (this.#seenIn !== this.#view.opened) {
      this.#seen = this.#tables.others()
      this.#seenIn = this.#view.opened
    }
    return this.#seen
  }
}
