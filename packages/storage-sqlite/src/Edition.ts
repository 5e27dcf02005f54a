/** Tells whether what was read is still so: by what this connection changed, and whether any other changed anything. */
import type { Collection, Row } from "@petstore/core"
import type { Database, Statement } from "better-sqlite3"
import { failureOrThrow } from "./sqliteFailure.js"
import type { Tables } from "./Tables.js"
import type { View } from "./View.js"

export class Edition {
  readonly #tables: Tables
  readonly #view: View
  /** Changes with every commit of another connection, in this process or another, and with none of this one. */
  readonly #others: Statement
  /** That, as the last view had it, in which it stays the same. */
  #seen = Number.NaN
  #seenIn = 0

  constructor(file: Database, tables: Tables, view: View) {
    this.#tables = tables
    this.#view = view
    this.#others = file.prepare("PRAGMA data_version").pluck()
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
    if (!this.#view.isShared()) return Number(this.#others.get())
    if (this.#seenIn !== this.#view.opened) {
      this.#seen = Number(this.#others.get())
      this.#seenIn = this.#view.opened
    }
    return this.#seen
  }
}
