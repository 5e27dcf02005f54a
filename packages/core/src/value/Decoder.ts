/**
 * Decoders compiled from structs. A valid value takes one pass. The error for an invalid one names
 * each invalid field.
 */
import * as Either from "effect/Either"
import { echo } from "./echo.js"
import { instantProblem } from "./Instant.js"
import { type Field, nonNullOf } from "./Field.js"
import { type Issue, ValidationFailed } from "./errors.js"
import type { Fields, RecordOf, Struct } from "./Struct.js"

/** Decodes any value to the record, or fails with an error that names each problem. */
export type Decoder<A> = (input: unknown) => Either.Either<A, ValidationFailed>

/** The result for a value that is not valid. */
const refused: unique symbol = Symbol("refused")

/** The value as the store has it, or {@link refused}. */
type Take = (given: unknown) => unknown

const takeOf = (field: Field): Take => {
  switch (field.of) {
    case "text": {
      const { is } = field
      return (given) => (typeof given === "string" && is(given) ? given : refused)
    }
    case "integer": {
      const { from, to } = field
      return (given) =>
        // Adding 0 turns -0 into 0, so that every storage stores the same zero.
        typeof given === "number" && given >= from && given <= to && Number.isInteger(given)
          ? given + 0
          : refused
    }
    case "boolean":
      return (given) => (typeof given === "boolean" ? given : refused)
    case "enumeration": {
      const values: ReadonlyArray<unknown> = field.values
      // Returns the value of the struct, not the equal one of the caller: records share one string.
      return (given) => values[values.indexOf(given)] ?? refused
    }
    case "subset": {
      const values: ReadonlyArray<unknown> = field.values
      return (given) => {
        if (!Array.isArray(given) || given.length === 0) return refused
        const some: ReadonlyArray<unknown> = Array.from(given)
        return some.every((each) => values.includes(each)) && new Set(some).size === some.length
          ? some
          : refused
      }
    }
    case "dateTime": {
      const { parse } = field
      return (given) => (typeof given === "string" ? (parse(given) ?? refused) : refused)
    }
    case "anything":
      return (given) => given
    default: {
      const take = takeOf(field.field)
      return (given) => (given === null ? null : take(given))
    }
  }
}

/** The text after "expected" in the error for a value that was given. */
export const expectedOf = (field: Field, given: unknown): string =>
  (nonNullOf(field).of === "dateTime" ? instantProblem(given) : undefined) ?? field.expected

const isPlainObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input)

/**
 * Compiles the decoder of a record. Absent and null differ. The error for an unknown field names
 * it.
 */
export const decoder = <M extends Fields>(struct: Struct<M>): Decoder<RecordOf<Struct<M>>> => {
  const members = Object.entries(struct.fields).map(([name, member]) => {
    const field = member.of === "optional" ? member.field : member
    return { name, optional: member.of === "optional", field, take: takeOf(field) }
  })
  const names = members.map((each) => each.name)

  const issuesOf = (input: Readonly<Record<string, unknown>>): ReadonlyArray<Issue> => [
    ...Object.keys(input)
      .filter((name) => !names.includes(name))
      .map((name) => ({
        field: echo(name).slice(1, -1),
        expected: `one of the fields ${names.join(", ")}`,
        got: "an unknown field"
      })),
    ...members
      .filter((each) =>
        Object.hasOwn(input, each.name) ? each.take(input[each.name]) === refused : !each.optional
      )
      .map((each) => ({
        field: each.name,
        expected: expectedOf(each.field, input[each.name]),
        got: Object.hasOwn(input, each.name) ? echo(input[each.name]) : "nothing"
      }))
  ]

  const refusal = (issues: ReadonlyArray<Issue>) => Either.left(new ValidationFailed({ issues }))

  return (input) => {
    if (!isPlainObject(input))
      return refusal([{ field: "", expected: "an object", got: echo(input) }])
    const output: Record<string, unknown> = {}
    let seen = 0
    for (const { name, optional, take } of members) {
      if (!Object.hasOwn(input, name)) {
        if (optional) continue
        return refusal(issuesOf(input))
      }
      seen++
      const value = take(input[name])
      if (value === refused) return refusal(issuesOf(input))
      output[name] = value
    }
    if (Object.keys(input).length !== seen) return refusal(issuesOf(input))
    // Each field was checked and there is no other, which is what the type of the struct says.
    return Either.right(output as RecordOf<Struct<M>>)
  }
}
