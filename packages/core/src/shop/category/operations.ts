/** The operations on categories. */
import * as Either from "effect/Either"
import type { RecordWrites } from "../change/RecordWrites.js"
import { byIds, namePrefix } from "../../engine/list/Filter.js"
import type { Listing, Paging } from "../../engine/list/ListQuery.js"
import { anyOf } from "../../engine/list/page.js"
import { rangesWhere } from "../../engine/list/Selection.js"
import { type CategoryRow, categories, presentCategory } from "./rows.js"
import { pets } from "../pet/rows.js"
import type { ReadProgram } from "../../engine/program/Program.js"
import { find, refuse } from "../../engine/program/requests.js"
import { type Category, CategoryPatch, NewCategory } from "./Category.js"
import { decoder } from "../../value/Decoder.js"
import { CategoryInUse } from "./errors.js"
import { NotFound } from "../../engine/operation/errors.js"
import { fold } from "../../value/Text.js"
import { readById, write } from "../../engine/operation/Operation.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"
import { readList } from "../../engine/operation/readList.js"
import {
  validateIdIf,
  validateIdWithIf,
  expectRevision,
  type IfRevision
} from "../../engine/operation/Revision.js"

/** The filters of a list of categories. */
export type CategoryQuery = Paging<"id" | "name"> & {
  /** Only these ids, up to 100. */
  readonly id?: number | ReadonlyArray<number>
  /**
   * Only names that begin with this, without regard to case. The list is then sorted by the folded
   * names.
   */
  readonly name?: string
}

/** What `GET /categories` and `store.categories.list` can be filtered and sorted by. */
export const categoryListing: Listing<CategoryRow> = {
  collection: categories,
  filters: { id: byIds, name: namePrefix },
  sorts: { id: "id", name: "name" }
}

const validateNewCategory = decoder(NewCategory)
const validatePatch = decoder(CategoryPatch)

const findCategory = (id: number): ReadProgram<CategoryRow, NotFound> =>
  find(categories, id, () => new NotFound({ kind: "category", id }))

const fieldsOf = (name: string, description: string | null) => ({
  name,
  foldedName: fold(name),
  description
})

export const categoryOperations = (records: RecordWrites) => {
  function* change(
    context: RequestContext,
    id: number,
    condition: IfRevision,
    next: (before: CategoryRow) => ReturnType<typeof fieldsOf>
  ) {
    const category = yield* findCategory(id)
    yield* expectRevision(category, condition)
    return yield* records.replace(context, categories, category, next(category))
  }

  return {
    /**
     * Adds a category. Names need not be unique. Refused: `ValidationFailed`.
     *
     * @example
     * const fish = await store.categories.create({ name: "Fish", description: "They swim." })
     */
    create: write({
      validate: (category: NewCategory) =>
        Either.map(validateNewCategory(category), (input) => [input] as const),
      program: (context, input: NewCategory) =>
        records.insert(context, categories, fieldsOf(input.name, input.description ?? null)),
      present: presentCategory
    }),

    /**
     * One category. Refused: `NotFound`.
     *
     * @example
     * const { name } = await store.categories.get(1)
     */
    get: readById(findCategory, presentCategory),

    /**
     * A page of categories. Refused: `InvalidParameter`.
     *
     * @example
     * const { items } = await store.categories.list({ sort: "name" })
     */
    list: readList<CategoryQuery, CategoryRow, Category>(categoryListing, presentCategory),

    /**
     * Replaces a category; an absent description is removed. Refused: `NotFound`,
     * `PreconditionFailed`.
     *
     * @example
     * await store.categories.replace(1, { name: "Fish" })
     */
    replace: write({
      validate: (id: number, category: NewCategory, condition: IfRevision = {}) =>
        validateIdWithIf(id, validateNewCategory(category), condition),
      program: (context, id: number, input: NewCategory, condition: IfRevision) =>
        change(context, id, condition, () => fieldsOf(input.name, input.description ?? null)),
      present: presentCategory
    }),

    /**
     * Changes the given fields; `description: null` removes it. Refused: `NotFound`,
     * `PreconditionFailed`.
     *
     * @example
     * await store.categories.update(1, { description: null })
     */
    update: write({
      validate: (id: number, patch: CategoryPatch, condition: IfRevision = {}) =>
        validateIdWithIf(id, validatePatch(patch), condition),
      program: (context, id: number, input: CategoryPatch, condition: IfRevision) =>
        change(context, id, condition, (before) =>
          fieldsOf(
            input.name ?? before.name,
            input.description === undefined ? before.description : input.description
          )
        ),
      present: presentCategory
    }),

    /**
     * Removes a category. Refused: `NotFound`, `CategoryInUse` while pets refer to it,
     * `PreconditionFailed`.
     *
     * @example
     * await store.categories.remove(2)
     */
    remove: write({
      validate: validateIdIf,
      *program(context, id: number, condition: IfRevision) {
        const category = yield* findCategory(id)
        yield* expectRevision(category, condition)
        const members = rangesWhere(pets, { categoryId: id })
        if (yield* anyOf(pets, members)) yield* refuse(new CategoryInUse({ categoryId: id }))
        yield* records.remove(context, categories, category)
      },
      present: () => undefined
    })
  }
}
