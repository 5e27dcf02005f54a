/** The operations on categories. */
import * as Either from "effect/Either"
import type { RecordWrites } from "../RecordWrites.js"
import { byIds, namePrefix } from "../../engine/list/Filter.js"
import type { Listing, Paging } from "../../engine/list/ListQuery.js"
import { type CategoryRow, categories, presentCategory } from "./rows.js"
import type { ReadProgram } from "../../engine/program/Program.js"
import { find } from "../../engine/program/requests.js"
import { type Category, CategoryPatch, NewCategory } from "./Category.js"
import { decoder } from "../../value/Decoder.js"
import { NotFound } from "../../engine/operation/errors.js"
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
  filters: { id: byIds, name: namePrefix("foldedName") },
  sorts: { id: "id", name: "name" }
}

const validateNewCategory = decoder(NewCategory)
const validatePatch = decoder(CategoryPatch)

const findCategory = (id: number): ReadProgram<CategoryRow, NotFound> =>
  find(categories, id, () => new NotFound({ kind: "category", id }))

const fieldsOf = ({ name, description }: NewCategory) => ({
  name,
  description: description ?? null
})

export const categoryOperations = (records: RecordWrites) => {
  function* change(
    context: RequestContext,
    id: number,
    condition: IfRevision,
    changes: CategoryPatch
  ) {
    const category = yield* findCategory(id)
    yield* expectRevision(category, condition)
    return yield* records.replace(context, categories, category, changes)
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
        records.insert(context, categories, fieldsOf(input)),
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
        change(context, id, condition, fieldsOf(input)),
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
        change(context, id, condition, input),
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
        yield* records.remove(context, categories, category)
      },
      present: () => undefined
    })
  }
}
