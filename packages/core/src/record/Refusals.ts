/** What is refused because of what a record is, or is not there. Each `code` is what callers switch on. */
import * as Data from "effect/Data"

/** One thing that is wrong with a value: where, and what was expected there. */
export type Issue = {
  /** The member, such as `name`; empty for the value as a whole. */
  readonly field: string
  readonly expected: string
  /** At most a short piece of what was given. */
  readonly got: string
}

const sentence = (issue: Issue): string =>
  `${issue.field === "" ? "" : `${issue.field}: `}expected ${issue.expected}, got ${issue.got}`

/** A value is not what its schema says. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly issues: ReadonlyArray<Issue>
}> {
  readonly code = "validation_failed"
  override get message(): string {
    return this.issues.map(sentence).join("; ")
  }
}

/** A parameter of a request is not what it can be. */
export class InvalidParameter extends Data.TaggedError("InvalidParameter")<{
  readonly parameter: string
  readonly expected: string
  readonly got: string
}> {
  readonly code = "invalid_parameter"
  override get message(): string {
    return sentence({ field: this.parameter, expected: this.expected, got: this.got })
  }
}

export type Kind = "pet" | "category" | "order" | "inventory entry" | "account" | "key" | "webhook"

/** There is no such record, or no longer. */
export class NotFound extends Data.TaggedError("NotFound")<{
  readonly kind: Kind
  readonly id: number | string
}> {
  readonly code = "not_found"
  override get message(): string {
    return this.kind === "inventory entry"
      ? `there is no inventory entry for pet ${this.id}`
      : `there is no ${this.kind} ${this.id}`
  }
}

/** A number above 2^53 − 1 has been rounded on its way here, and what nobody asked for is not repeated. */
const named = (kind: Kind, id: number): string =>
  Number.isSafeInteger(id) ? `${kind} ${id}` : `such ${kind}`

/** A record refers to a category that is not there. */
export class UnknownCategory extends Data.TaggedError("UnknownCategory")<{ readonly categoryId: number }> {
  readonly code = "unknown_category"
  override get message(): string {
    return `categoryId: there is no ${named("category", this.categoryId)}`
  }
}

/** A record refers to a pet that is not there. */
export class UnknownPet extends Data.TaggedError("UnknownPet")<{ readonly petId: number }> {
  readonly code = "unknown_pet"
  override get message(): string {
    return `petId: there is no ${named("pet", this.petId)}`
  }
}

/** Pets refer to the category, so it can't go. Move or delete them first. */
export class CategoryInUse extends Data.TaggedError("CategoryInUse")<{ readonly categoryId: number }> {
  readonly code = "category_in_use"
  override get message(): string {
    return `category ${this.categoryId} still has pets`
  }
}

/** An open order holds the pet, so it can't go. Complete or cancel the order first. */
export class PetInUse extends Data.TaggedError("PetInUse")<{ readonly petId: number }> {
  readonly code = "pet_in_use"
  override get message(): string {
    return `an open order holds pet ${this.petId}`
  }
}

/** The record is not, or no longer, at the revision that the change was made for. Read it again, then decide. */
export class PreconditionFailed extends Data.TaggedError("PreconditionFailed")<{ readonly current: number }> {
  readonly code = "precondition_failed"
  override get message(): string {
    return this.current === 0
      ? "there is no such record yet, so it can't be at the revision asked for"
      : `the record is at revision ${this.current}, which is not among those asked for`
  }
}
