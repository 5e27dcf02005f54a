/** Categories (SPEC.md §2). */
import { Id } from "../../value/Id.js"
import { nullable } from "../../value/Field.js"
import { optional, type RecordOf, struct } from "../../value/Struct.js"
import { Description, Name } from "../../value/Text.js"

/** The input for creating or replacing a category. */
export const NewCategory = struct("NewCategory", {
  name: Name,
  description: optional(Description)
})
export interface NewCategory extends RecordOf<typeof NewCategory> {}

/** A merge patch of a category (RFC 7396): absent fields stay, `description: null` removes it. */
export const CategoryPatch = struct("CategoryPatch", {
  name: optional(Name),
  description: optional(nullable(Description))
})
export interface CategoryPatch extends RecordOf<typeof CategoryPatch> {}

/** A category as callers see it. */
export const Category = struct("Category", {
  id: Id,
  name: Name,
  description: optional(Description)
})
export interface Category extends RecordOf<typeof Category> {}
