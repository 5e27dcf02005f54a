/** Errors about pets. Callers switch on `code`. */
import * as Data from "effect/Data"
import { describeRecord } from "../../engine/operation/errors.js"
import type { PetStatus } from "./PetStatus.js"

/** The status policy in force has no such transition. */
export class InvalidTransition extends Data.TaggedError("InvalidTransition")<{
  readonly from: PetStatus
  readonly to: PetStatus
}> {
  readonly code = "invalid_transition"
  override get message(): string {
    return `status: a pet can't go from ${this.from} to ${this.to}`
  }
}

/**
 * The pet has an inventory entry, so its status is derived from the stock. Change the stock
 * instead.
 */
export class StatusFollowsStock extends Data.TaggedError("StatusFollowsStock")<{
  readonly petId: number
  readonly status: PetStatus
}> {
  readonly code = "status_follows_stock"
  override get message(): string {
    return (
      `status: pet ${this.petId} has an inventory entry, so its status follows its stock and ` +
      `is ${this.status}`
    )
  }
}

/** A record refers to a pet that does not exist. */
export class UnknownPet extends Data.TaggedError("UnknownPet")<{ readonly petId: number }> {
  readonly code = "unknown_pet"
  override get message(): string {
    return `petId: there is no ${describeRecord("pet", this.petId)}`
  }
}

/** An open order reserves the pet, so it can't be removed. Complete or cancel the order first. */
export class PetInUse extends Data.TaggedError("PetInUse")<{ readonly petId: number }> {
  readonly code = "pet_in_use"
  override get message(): string {
    return `an open order holds pet ${this.petId}`
  }
}
