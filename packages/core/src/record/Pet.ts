/** Pets (SPEC.md §2). */
import * as Schema from "effect/Schema"
import { Id, Reference } from "./Id.js"
import { PetStatus } from "./PetStatus.js"
import { Name } from "./Text.js"

/** What creating or replacing a pet takes. `status` defaults to `available` on creation and stays as it is on replacement. */
export const NewPet = Schema.Struct({
  name: Name,
  categoryId: Reference,
  status: Schema.optionalWith(PetStatus, { exact: true })
}).annotations({ identifier: "NewPet" })
export type NewPet = typeof NewPet.Type

/** A merge patch of a pet (RFC 7396): what is absent stays; no field of a pet can be removed. */
export const PetPatch = Schema.partialWith(NewPet, { exact: true }).annotations({ identifier: "PetPatch" })
export type PetPatch = typeof PetPatch.Type

export const Pet = Schema.Struct({
  id: Id,
  name: Name,
  categoryId: Id,
  status: PetStatus
}).annotations({ identifier: "Pet" })
export type Pet = typeof Pet.Type
