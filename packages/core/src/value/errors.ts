/** Errors for values that do not match their schema. Callers switch on `code`. */
import * as Data from "effect/Data"

/** One problem of a value: the field, and the value that was expected. */
export type Issue = {
  /** The field, such as `name`; empty for the value as a whole. */
  readonly field: string
  readonly expected: string
  /** A short excerpt of the value that was given. */
  readonly got: string
}

const sentence = (issue: Issue): string =>
  `${issue.field === "" ? "" : `${issue.field}: `}expected ${issue.expected}, got ${issue.got}`

/** A value does not match its schema. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly issues: ReadonlyArray<Issue>
}> {
  readonly code = "validation_failed"
  override get message(): string {
    return this.issues.map(sentence).join("; ")
  }
}

/** A parameter of a request is not valid. */
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
