/** The one set of statuses (SPEC.md §3), of pets and of inventory entries. */
import { type ValueOf, enumeration } from "../../value/Field.js"

/** Every status, in the order of the specification. */
export const PET_STATUSES = ["available", "pending", "sold"] as const

/** The status of a pet or of an inventory entry. */
export const PetStatus = enumeration("PetStatus", PET_STATUSES)
export type PetStatus = ValueOf<typeof PetStatus>
