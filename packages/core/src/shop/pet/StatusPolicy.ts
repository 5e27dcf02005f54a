/**
 * The statuses that a pet without an inventory entry may be set to. SPEC.md §3 has no transitions,
 * so they are a table.
 */
import * as Context from "effect/Context"
import * as Either from "effect/Either"
import type { PetStatus } from "./PetStatus.js"
import { InvalidTransition } from "./errors.js"

/** For each status, the other statuses that may follow. Keeping the status needs no entry. */
export type StatusTransitions = { readonly [From in PetStatus]: ReadonlyArray<PetStatus> }

/** Any status may follow any other. */
const anyTransition: StatusTransitions = {
  available: ["pending", "sold"],
  pending: ["available", "sold"],
  sold: ["available", "pending"]
}

/** A pet is reserved before it is sold, a reservation can lapse, and a sold pet stays sold. */
const strictTransitions: StatusTransitions = {
  available: ["pending"],
  pending: ["available", "sold"],
  sold: []
}

/** The table in force; `anyTransition` unless a host provides another. */
export class StatusPolicy extends Context.Reference<StatusPolicy>()("@petstore/core/StatusPolicy", {
  defaultValue: (): StatusTransitions => anyTransition
}) {
  static readonly anyTransition = anyTransition
  static readonly strict = strictTransitions
}

/** The status after the change, or the refusal of the transition. */
export const moveTo = (
  transitions: StatusTransitions,
  from: PetStatus,
  to: PetStatus
): Either.Either<PetStatus, InvalidTransition> =>
  from === to || transitions[from].includes(to)
    ? Either.right(to)
    : Either.left(new InvalidTransition({ from, to }))
