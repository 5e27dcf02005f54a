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
  /** `Tables.dataVersion()` in the last shared snapshot, in which it does not change. */
  #otherCommits = Number.NaN
  #snapshotNumber = 0

  constructor(tables: Tables, snapshot: ReadSnapshot) {
    this.#tables = tables
    this.#snapshot = snapshot
  }

  /** Writes of this connection count before their commit, but nothing reads in between. */
  of(collections: ReadonlyArray<Collection<Row>>): number {
    try {
      return this.#readOtherCommits() + this.#tables.changes(collections)
    } catch (thrown) {
      this.#snapshot.close()
      failureOrThrow(thrown, "read")
      return Number.NaN
    }
  }

  #readOtherCommits(): number {
    if (!this.#snapshot.isShared()) return this.#tables.dataVersion()
    if (this.#snapshotNumber !== this.#snapshot.openCount) {
      this.#otherCommits = this.#tables.dataVersion()
      this.#snapshotNumber = this.#snapshot.openCount
    }
    return this.#otherCommits
  }
}
