/** Categories over HTTP. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { categoryListing, type CategoryQuery } from "@petstore/core"
import { Category, CategoryPatch, NewCategory } from "@petstore/core/schema"
import * as Schema from "effect/Schema"
import { about, aboutGroup } from "./about.js"
import { listOf } from "./brief.js"
import { failingWith, OF_BODIES, OF_REMOVALS } from "./ErrorBody.js"
import { listQuery } from "./ListQuery.js"
import { PathId } from "./Parameter.js"
import { ASSIGNED_ID, RecordTexts } from "./RecordTexts.js"
import { Stability } from "./Stability.js"

const OneCategory = Schema.Struct({
  categoryId: PathId.annotations({ description: "The category's id." })
})

const CATEGORY = {
  name: "The category's name, for example a kind of animal.",
  description: "A short description of the category."
}

/** What the records of the group say in OpenAPI. */
const TEXTS = {
  NewCategory: {
    description: "The input for creating or replacing a category.",
    example: { name: "Dogs", description: "From dachshund to wolfhound." },
    fields: CATEGORY
  },
  CategoryPatch: {
    description: "The fields of a category to change; null removes the description.",
    example: { description: null },
    fields: CATEGORY
  },
  Category: {
    description: "A kind of animals.",
    example: { id: 1, name: "Dogs", description: "From dachshund to wolfhound." },
    fields: { id: ASSIGNED_ID, ...CATEGORY }
  }
} satisfies RecordTexts["Type"]

export const categoriesGroup = HttpApiGroup.make("categories")
  .annotateContext(aboutGroup("Categories", "Kinds of animals."))
  .annotate(RecordTexts, TEXTS)
  .add(
    HttpApiEndpoint.get("listCategories", "/categories")
      .setUrlParams(
        listQuery<CategoryQuery>(categoryListing, {
          id: "Only these categories.",
          name: "Only categories whose name begins with this, without regard to case."
        })
      )
      .addSuccess(listOf(Category))
      .pipe(failingWith())
      .annotateContext(about("List categories", "A page of categories, narrowed by the filters."))
  )
  .add(
    HttpApiEndpoint.post("createCategory", "/categories")
      .setPayload(NewCategory)
      .addSuccess(Category, { status: 201 })
      .pipe(failingWith(...OF_BODIES))
      .annotateContext(about("Create a category", "Names need not be unique."))
  )
  .add(
    HttpApiEndpoint.get("getCategory", "/categories/:categoryId")
      .setPath(OneCategory)
      .addSuccess(Category)
      .pipe(failingWith("not_found"))
      .annotateContext(about("Get a category", "One category by its id."))
  )
  .add(
    HttpApiEndpoint.put("replaceCategory", "/categories/:categoryId")
      .setPath(OneCategory)
      .setPayload(NewCategory)
      .addSuccess(Category)
      .pipe(failingWith(...OF_BODIES, "not_found", "precondition_failed"))
      .annotateContext(
        about(
          "Replace a category",
          "An absent description is removed. The body may contain the category's own `id`."
        )
      )
  )
  .add(
    HttpApiEndpoint.patch("updateCategory", "/categories/:categoryId")
      .setPath(OneCategory)
      .setPayload(CategoryPatch)
      .addSuccess(Category)
      .pipe(failingWith(...OF_BODIES, "not_found", "precondition_failed"))
      .annotate(Stability, "beta")
      .annotateContext(
        about(
          "Change a category",
          "A merge patch (RFC 7396): `description: null` removes the description. The body " +
            "may contain the category's own `id`."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("deleteCategory", "/categories/:categoryId")
      .setPath(OneCategory)
      .addSuccess(HttpApiSchema.NoContent)
      .pipe(failingWith("not_found", "category_in_use", ...OF_REMOVALS))
      .annotateContext(about("Delete a category", "Refused while pets refer to it."))
  )
