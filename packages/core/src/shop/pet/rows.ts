/** The stored form of pets, and their presentation. */
import { recordType } from "../RecordType.js"
import { Pet } from "./Pet.js"
import { categories } from "../category/rows.js"
import { UnknownCategory } from "../category/errors.js"
import { PetInUse } from "./errors.js"
import { PET_STATUSES, type PetStatus } from "./PetStatus.js"
import { collectionOf } from "../../engine/program/Collection.js"
import { fold, integer, reference, text } from "../../engine/program/columns.js"

/** The column of a pet status, of pets and of inventory entries. */
export const statusColumn = { type: "text", values: PET_STATUSES } as const

/** The stored form of a pet. */
export type PetRow = {
  readonly id: number
  readonly revision: number
  readonly name: string
  /** The name in the form that is compared without regard to case. */
  readonly foldedName: string
  readonly categoryId: number
  readonly status: PetStatus
  /**
   * For a pet without an inventory entry: units in open orders and units sold. With an entry, the
   * entry has them.
   */
  readonly onOrder: number
  readonly sold: number
}

/** The animals. */
export const pets = collectionOf<PetRow>()({
  name: "pets",
  key: "assigned",
  columns: {
    name: text,
    foldedName: fold("name"),
    categoryId: reference(categories, (categoryId) => new UnknownCategory({ categoryId })),
    status: statusColumn,
    onOrder: integer,
    sold: integer
  },
  indexes: [
    { name: "status", on: ["status"], sort: "id" },
    { name: "category_status", on: ["categoryId", "status"], sort: "id" },
    { name: "status_name", on: ["status"], sort: "name" },
    { name: "category_status_name", on: ["categoryId", "status"], sort: "name" },
    { name: "status_folded_name", on: ["status"], sort: "foldedName" },
    { name: "category_status_folded_name", on: ["categoryId", "status"], sort: "foldedName" }
  ],
  counts: [
    { name: "status", on: ["status"] },
    { name: "category_status", on: ["categoryId", "status"] }
  ],
  inUse: (petId) => new PetInUse({ petId })
})

export const presentPet = ({ id, name, categoryId, status }: PetRow): Pet => ({
  id,
  name,
  categoryId,
  status
})

/** Pets in the feed. */
export const petType = recordType({
  kind: "pet",
  collection: pets,
  struct: Pet,
  present: presentPet,
  changes: { created: "pet.created", updated: "pet.updated", deleted: "pet.deleted" }
})
