/** Errors that operations on any kind of record share. Callers switch on `code`. */
import * as Data from "effect/Data"

/** What a record is called in messages, such as "pet". */
export type Kind = string

/** The record does not exist, or was deleted. */
export class NotFound extends Data.TaggedError("NotFound")<{
  readonly kind: Kind
  readonly id: number | string
  /** What the id is of, where the record has that of another one. */
  readonly idOf?: Kind
}> {
  readonly code = "not_found"
  override get message(): string {
    const { id, idOf } = this
    const what = idOf === undefined ? this.kind : `${this.kind} for ${idOf}`
    return `there is no ${what} ${id}`
  }
}

/**
 * Names a record in a message. A number above 2^53 − 1 was rounded when it was parsed, so it is not
 * repeated: it is not the id that the caller sent.
 */
export const describeRecord = (kind: Kind, id: number): string =>
  Number.isSafeInteger(id) ? `${kind} ${id}` : `such ${kind}`

/** The record is not at a revision that the condition allows. Read it again, then decide. */
export class PreconditionFailed extends Data.TaggedError("PreconditionFailed")<{
  readonly current: number
}> {
  readonly code = "precondition_failed"
  override get message(): string {
    return this.current === 0
      ? "there is no such record yet, so it can't be at the revision asked for"
      : `the record is at revision ${this.current}, which is not among those asked for`
  }
}
