/** Categories (SPEC.md §2). */
import * as Schema from "effect/Schema"
import { Id } from "./Id.js"
import { Description, Name } from "./Text.js"

export const NewCategory = Schema.Struct({
  name: Name,
  description: Schema.optionalWith(Description, { exact: true })
}).annotations({ identifier: "NewCategory" })
export type NewCategory = typeof NewCategory.Type

/** A merge patch of a category (RFC 7396): absent stays, `description: null` removes the description. */
export const CategoryPatch = Schema.Struct({
  name: Schema.optionalWith(Name, { exact: true }),
  description: Schema.optionalWith(Schema.NullOr(Description), { exact: true })
}).annotations({ identifier: "CategoryPatch" })
export type CategoryPatch = typeof CategoryPatch.Type

export const Category = Schema.Struct({
  id: Id,
  name: Name,
  description: Schema.optionalWith(Description, { exact: true })
}).annotations({ identifier: "Category" })
export type Category = typeof Category.Type
