/** The one set of states the service has (SPEC.md §3), carried by pets and by inventory entries. */
import { type Kept, oneOf } from "./Part.js"

export const PET_STATUSES = ["available", "pending", "sold"] as const

export const PetStatus = oneOf("PetStatus", PET_STATUSES)
export type PetStatus = Kept<typeof PetStatus>
