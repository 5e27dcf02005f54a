/** The one set of states the service has (SPEC.md §3), carried by pets and by inventory entries. */
import * as Schema from "effect/Schema"

export const PET_STATUSES = ["available", "pending", "sold"] as const

export const PetStatus = Schema.Literal(...PET_STATUSES).annotations({ identifier: "PetStatus" })
export type PetStatus = typeof PetStatus.Type
