/** Pets (SPEC.md §2). */
import { Id, Reference } from "../../value/Id.js"
import { PetStatus } from "./PetStatus.js"
import { optional, type RecordOf, struct } from "../../value/Struct.js"
import { Name } from "../../value/Text.js"

/**
 * The input for creating or replacing a pet. `status` defaults to `available` on creation, and
 * stays unchanged on replacement.
 */
export const NewPet = struct("NewPet", {
  name: Name,
  categoryId: Reference,
  status: optional(PetStatus)
})
export interface NewPet extends RecordOf<typeof NewPet> {}

/** A merge patch of a pet (RFC 7396): absent fields stay. No field of a pet can be removed. */
export const PetPatch = struct("PetPatch", {
  name: optional(Name),
  categoryId: optional(Reference),
  status: optional(PetStatus)
})
export interface PetPatch extends RecordOf<typeof PetPatch> {}

/** A pet as callers see it. */
export const Pet = struct("Pet", {
  id: Id,
  name: Name,
  categoryId: Id,
  status: PetStatus
})
export interface Pet extends RecordOf<typeof Pet> {}
