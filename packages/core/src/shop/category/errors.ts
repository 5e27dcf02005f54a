/** Errors about categories. Callers switch on `code`. */
import * as Data from "effect/Data"
import { describeRecord } from "../../engine/operation/errors.js"

/** A record refers to a category that does not exist. */
export class UnknownCategory extends Data.TaggedError("UnknownCategory")<{
  readonly categoryId: number
}> {
  readonly code = "unknown_category"
  override get message(): string {
    return `categoryId: there is no ${describeRecord("category", this.categoryId)}`
  }
}

/** Pets refer to the category, so it can't be removed. Move or delete them first. */
export class CategoryInUse extends Data.TaggedError("CategoryInUse")<{
  readonly categoryId: number
}> {
  readonly code = "category_in_use"
  override get message(): string {
    return `category ${this.categoryId} still has pets`
  }
}
