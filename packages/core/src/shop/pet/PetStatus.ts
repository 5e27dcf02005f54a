/** The one set of states the service has (SPEC.md §3), carried by pets and by inventory entries. */
import { type Kept, oneOf } from "../../value/Part.js"

/** Every status, in the order of the specification. */
export const PET_STATUSES = ["available", "pending", "sold"] as const

/** The status of a pet or of an inventory entry. */
export const PetStatus = oneOf("PetStatus", PET_STATUSES)
export type PetStatus = Kept<typeof PetStatus>
