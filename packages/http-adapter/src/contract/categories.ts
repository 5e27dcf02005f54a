/** Categories over HTTP. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { Category, CategoryPatch, type CategoryQuery, categoryListing, NewCategory } from "@petstore/core"
import { Schema } from "effect"
import { answering, OF_BODIES } from "./ErrorBody.js"
import { listQuery } from "./ListQuery.js"
import { PathId } from "./Parameter.js"
import { Stability } from "./Stability.js"

const OneCategory = Schema.Struct({ categoryId: PathId })

export const categoriesGroup = HttpApiGroup.make("categories")
  .add(
    HttpApiEndpoint.get("listCategories", "/categories")
      .setUrlParams(listQuery<CategoryQuery>(categoryListing))
      .addSuccess(Schema.Array(Category))
      .pipe(answering())
  )
  .add(
    HttpApiEndpoint.post("createCategory", "/categories")
      .setPayload(NewCategory)
      .addSuccess(Category, { status: 201 })
      .pipe(answering(...OF_BODIES))
  )
  .add(
    HttpApiEndpoint.get("getCategory", "/categories/:categoryId")
      .setPath(OneCategory)
      .addSuccess(Category)
      .pipe(answering("not_found"))
  )
  .add(
    HttpApiEndpoint.put("replaceCategory", "/categories/:categoryId")
      .setPath(OneCategory)
      .setPayload(NewCategory)
      .addSuccess(Category)
      .pipe(answering(...OF_BODIES, "not_found", "precondition_failed"))
  )
  .add(
    HttpApiEndpoint.patch("updateCategory", "/categories/:categoryId")
      .setPath(OneCategory)
      .setPayload(CategoryPatch)
      .addSuccess(Category)
      .pipe(answering(...OF_BODIES, "not_found", "precondition_failed"))
      .annotate(Stability, "beta")
  )
  .add(
    HttpApiEndpoint.del("deleteCategory", "/categories/:categoryId")
      .setPath(OneCategory)
      .addSuccess(HttpApiSchema.NoContent)
      .pipe(answering("not_found", "category_in_use", "precondition_failed", "storage_full"))
  )
