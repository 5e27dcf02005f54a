/** Categories as they are stored. */
import type { Collection } from "../../engine/program/Collection.js"
import { folded, optionalText, text } from "../../engine/program/columns.js"

/** A category as it is stored. */
export type CategoryRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly foldedName: string
  readonly description: string | null
}

/** Kinds of animals. */
export const categories: Collection<CategoryRow> = {
  name: "categories",
  key: "assigned",
  columns: { name: text, foldedName: folded("name"), description: optionalText },
  indexes: [
    { name: "name", on: [], sort: "name" },
    { name: "folded_name", on: [], sort: "foldedName" }
  ]
}
