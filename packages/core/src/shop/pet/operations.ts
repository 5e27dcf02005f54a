/** The operations on pets. */
import * as Either from "effect/Either"
import type { RecordWrites } from "../RecordWrites.js"
import { byIds, namePrefix, byEnumeration, refersTo } from "../../engine/list/Filter.js"
import type { Listing, Paging } from "../../engine/list/ListQuery.js"
import { StatusFollowsStock } from "./errors.js"
import { moveTo, type StatusTransitions } from "./StatusPolicy.js"
import { type PetRow, pets, presentPet } from "./rows.js"
import type { ReadProgram } from "../../engine/program/Program.js"
import { find, orRefuse, refuse } from "../../engine/program/requests.js"
import { decoder } from "../../value/Decoder.js"
import { NewPet, type Pet, PetPatch } from "./Pet.js"
import { PetStatus } from "./PetStatus.js"
import { NotFound } from "../../engine/operation/errors.js"
import { readById, write } from "../../engine/operation/Operation.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"
import {
  validateIdIf,
  validateIdWithIf,
  expectRevision,
  type IfRevision
} from "../../engine/operation/Revision.js"
import { readList } from "../../engine/operation/readList.js"

/** The filters of a list of pets. */
export type PetQuery = Paging<"id" | "name"> & {
  /** Only these ids, up to 100. */
  readonly id?: number | ReadonlyArray<number>
  /** Only these statuses. */
  readonly status?: PetStatus | ReadonlyArray<PetStatus>
  /** Only pets of this category. */
  readonly categoryId?: number
  /**
   * Only names that begin with this, without regard to case. The list is then sorted by the folded
   * names.
   */
  readonly name?: string
}

/** What `GET /pets` and `store.pets.list` can be filtered and sorted by. */
export const petListing: Listing<PetRow> = {
  collection: pets,
  filters: {
    id: byIds,
    status: byEnumeration("status", PetStatus),
    categoryId: refersTo("categoryId"),
    name: namePrefix("foldedName")
  },
  sorts: { id: "id", name: "name" }
}

const validateNewPet = decoder(NewPet)

const validatePatch = decoder(PetPatch)

const unknownPet = (id: number) => new NotFound({ kind: "pet", id })

const findPet = (id: number): ReadProgram<PetRow, NotFound> => find(pets, id, unknownPet)

/** `isStocked` tells whether a pet's status follows its stock. */
export const petOperations = (
  transitions: StatusTransitions,
  isStocked: (petId: number) => ReadProgram<boolean>,
  records: RecordWrites
) => {
  /**
   * The status after a change: derived for a pet with an inventory entry, otherwise decided by the
   * policy.
   */
  function* nextStatus(pet: PetRow, input: PetStatus | undefined) {
    if (input === undefined || input === pet.status) return pet.status
    if (yield* isStocked(pet.id))
      yield* refuse(new StatusFollowsStock({ petId: pet.id, status: pet.status }))
    return yield* orRefuse(moveTo(transitions, pet.status, input))
  }

  function* change(context: RequestContext, id: number, input: PetPatch, condition: IfRevision) {
    const pet = yield* findPet(id)
    yield* expectRevision(pet, condition)
    const status = yield* nextStatus(pet, input.status)
    const { name = pet.name, categoryId = pet.categoryId } = input
    return yield* records.replace(context, pets, pet, { name, categoryId, status })
  }

  return {
    /**
     * Adds a pet. `status` is `available` by default. Refused: `ValidationFailed`,
     * `UnknownCategory`.
     *
     * @example
     * const pet = await store.pets.create({ name: "Goldie", categoryId: 1 })
     */
    create: write({
      validate: (pet: NewPet) => Either.map(validateNewPet(pet), (input) => [input] as const),
      program: (context, { name, categoryId, status = "available" }: NewPet) =>
        records.insert(context, pets, { name, categoryId, status, onOrder: 0, sold: 0 }),
      present: presentPet
    }),

    /**
     * One pet. Refused: `NotFound`.
     *
     * @example
     * const { name, status } = await store.pets.get(1)
     */
    get: readById(findPet, presentPet),

    /**
     * A page of pets: 50 by default, or `limit` (1 to 100), with the `cursor` of the next page.
     * Refused: `InvalidParameter`.
     *
     * @example
     * const query = { status: "available", sort: "name", limit: 20 } as const
     * const { items, next } = await store.pets.list(query)
     */
    list: readList<PetQuery, PetRow, Pet>(petListing, presentPet),

    /**
     * Replaces a pet. An absent status stays unchanged. Refused: `NotFound`, `UnknownCategory`,
     * `PreconditionFailed`, `StatusFollowsStock` for a pet with an inventory entry,
     * `InvalidTransition` by a stricter status policy.
     *
     * @example
     * await store.pets.replace(1, { name: "Goldie II", categoryId: 1 })
     */
    replace: write({
      validate: (id: number, pet: NewPet, condition: IfRevision = {}) =>
        validateIdWithIf(id, validateNewPet(pet), condition),
      program: (context, id: number, input: NewPet, condition: IfRevision) =>
        change(context, id, input, condition),
      present: presentPet
    }),

    /**
     * Changes the given fields of a pet. Refused like `replace`.
     *
     * @example
     * await store.pets.update(2, { status: "sold" })
     */
    update: write({
      validate: (id: number, patch: PetPatch, condition: IfRevision = {}) =>
        validateIdWithIf(id, validatePatch(patch), condition),
      program: (context, id: number, input: PetPatch, condition: IfRevision) =>
        change(context, id, input, condition),
      present: presentPet
    }),

    /**
     * Removes a pet and its inventory entry. Refused: `NotFound`, `PetInUse` while an open order
     * reserves it, `PreconditionFailed`.
     *
     * @example
     * await store.pets.remove(2)
     */
    remove: write({
      validate: validateIdIf,
      *program(context, id: number, condition: IfRevision) {
        const pet = yield* findPet(id)
        yield* expectRevision(pet, condition)
        yield* records.remove(context, pets, pet)
      },
      present: () => undefined
    })
  }
}
