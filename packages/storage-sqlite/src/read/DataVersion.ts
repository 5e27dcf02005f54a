/**
 * A number that changes whenever rows of some collections may have changed: by writes of this
 * connection to them, or by any commit of another connection.
 */
import type { Collection, Row } from "@petstore/core/storage"
import { failureOrThrow } from "../base/sqliteFailure.js"
import type { Tables } from "../table/Tables.js"
import type { ReadSnapshot } from "./ReadSnapshot.js"

export class DataVersion {
  readonly #tables: Tables
  readonly #snapshot: ReadSnapshot
  /** `others()` in the last snapshot, in which it stays the same. */
  #seen = Number.NaN
  #seenIn = 0

  constructor(tables: Tables, snapshot: ReadSnapshot) {
    this.#tables = tables
    this.#snapshot = snapshot
  }

  /** This connection writes and commits without a pause, so nobody reads in between. */
  of(collections: ReadonlyArray<Collection<Row>>): number {
    try {
      return this.#othersNow() + this.#tables.changes(collections)
    } catch (thrown) {
      this.#snapshot.close()
      failureOrThrow(thrown, "read")
      return Number.NaN
    }
  }

  #othersNow(): number {
    if (!this.#snapshot.isShared()) return this.#tables.others()
    if (this.#seenIn !== this.#snapshot.opened) {
      this.#seen = this.#tables.others()
      this.#seenIn = this.#snapshot.opened
    }
    return this.#seen
  }
}
