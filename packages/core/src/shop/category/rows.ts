/** The stored form of categories, and their presentation. */
import { recordType } from "../RecordType.js"
import { Category } from "./Category.js"
import { CategoryInUse } from "./errors.js"
import { collectionOf } from "../../engine/program/Collection.js"
import { fold, optionalText, text } from "../../engine/program/columns.js"

/** The stored form of a category. */
export type CategoryRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly foldedName: string
  readonly description: string | null
}

/** Kinds of animals. */
export const categories = collectionOf<CategoryRow>()({
  name: "categories",
  key: "assigned",
  columns: { name: text, foldedName: fold("name"), description: optionalText },
  indexes: [
    { name: "name", on: [], sort: "name" },
    { name: "folded_name", on: [], sort: "foldedName" }
  ],
  inUse: (categoryId) => new CategoryInUse({ categoryId })
})

export const presentCategory = ({ id, name, description }: CategoryRow): Category =>
  description === null ? { id, name } : { id, name, description }

/** Categories in the feed. */
export const categoryType = recordType({
  kind: "category",
  collection: categories,
  struct: Category,
  present: presentCategory,
  changes: { created: "category.created", updated: "category.updated", deleted: "category.deleted" }
})
