/**
 * Decoders compiled from the shapes of records: they take a good value at once, and refuse in words that name each field
 * that is wrong.
 */
import * as Either from "effect/Either"
import { echo } from "./echo.js"
import { instantProblem } from "./Instant.js"
import { type Part, solidOf } from "./Part.js"
import { type Issue, ValidationFailed } from "./errors.js"
import type { Members, RecordOf, Shape } from "./Shape.js"

/** Takes anything, and gives the record or says in words what is wrong with it. */
export type Decoder<A> = (input: unknown) => Either.Either<A, ValidationFailed>

/** Stands for a value that is not what was expected. */
const refused: unique symbol = Symbol("refused")

/** The value as the store has it, or {@link refused}. */
type Take = (given: unknown) => unknown

const takeOf = (part: Part): Take => {
  switch (part.of) {
    case "text": {
      const { is } = part
      return (given) => (typeof given === "string" && is(given) ? given : refused)
    }
    case "whole": {
      const { from, to } = part
      return (given) =>
        // Of two zeros one is kept, whatever keeps it: adding 0 to -0 gives 0.
        typeof given === "number" && given >= from && given <= to && Number.isInteger(given)
          ? given + 0
          : refused
    }
    case "flag":
      return (given) => (typeof given === "boolean" ? given : refused)
    case "oneOf": {
      const values: ReadonlyArray<unknown> = part.values
      // The value of the shape and not the equal one that was given: whatever is kept of many records is one text.
      return (given) => values[values.indexOf(given)] ?? refused
    }
    case "someOf": {
      const values: ReadonlyArray<unknown> = part.values
      return (given) => {
        if (!Array.isArray(given) || given.length === 0) return refused
        const some: ReadonlyArray<unknown> = Array.from(given)
        return some.every((each) => values.includes(each)) && new Set(some).size === some.length
          ? some
          : refused
      }
    }
    case "moment": {
      const { parse } = part
      return (given) => (typeof given === "string" ? (parse(given) ?? refused) : refused)
    }
    case "anything":
      return (given) => given
    default: {
      const take = takeOf(part.part)
      return (given) => (given === null ? null : take(given))
    }
  }
}

/** What was expected in place of what was given. */
export const expectedOf = (part: Part, given: unknown): string =>
  (solidOf(part).of === "moment" ? instantProblem(given) : undefined) ?? part.expected

const isPlainObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input)

/** Compiles the decoder of a record. Absent and null differ; members the shape does not name are refused by name. */
export const decoder = <M extends Members>(shape: Shape<M>): Decoder<RecordOf<Shape<M>>> => {
  const members = Object.entries(shape.members).map(([name, member]) => {
    const part = member.of === "optional" ? member.part : member
    return { name, optional: member.of === "optional", part, take: takeOf(part) }
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
        expected: expectedOf(each.part, input[each.name]),
        got: Object.hasOwn(input, each.name) ? echo(input[each.name]) : "nothing"
      }))
  ]

  const refusal = (issues: ReadonlyArray<Issue>) => Either.left(new ValidationFailed({ issues }))

  return (input) => {
    if (!isPlainObject(input)) return refusal([{ field: "", expected: "an object", got: echo(input) }])
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
    // Each member is what its part takes, and there is no other: the shape's type says the same.
    return Either.right(output as RecordOf<Shape<M>>)
  }
}
