/** Categories (SPEC.md §2). */
import { Id } from "../../value/Id.js"
import { nullable } from "../../value/Part.js"
import { optional, type RecordOf, shape } from "../../value/Shape.js"
import { Description, Name } from "../../value/Text.js"

/** What creating or replacing a category takes. */
export const NewCategory = shape("NewCategory", {
  name: Name,
  description: optional(Description)
})
export interface NewCategory extends RecordOf<typeof NewCategory> {}

/** A merge patch of a category (RFC 7396): absent stays, `description: null` removes the description. */
export const CategoryPatch = shape("CategoryPatch", {
  name: optional(Name),
  description: optional(nullable(Description))
})
export interface CategoryPatch extends RecordOf<typeof CategoryPatch> {}

/** A category as it is answered. */
export const Category = shape("Category", {
  id: Id,
  name: Name,
  description: optional(Description)
})
export interface Category extends RecordOf<typeof Category> {}
