/**
 * The filters of lists. Each validates its value and narrows the selection, or fails with an error
 * that names the parameter.
 */
import * as Either from "effect/Either"
import type { Value } from "../program/Collection.js"
import { echo } from "../../value/echo.js"
import { Reference } from "../../value/Id.js"
import { expectedOf } from "../../value/Decoder.js"
import { Instant, parseInstant } from "../../value/Instant.js"
import { boolean, type EnumerationField, type Field } from "../../value/Field.js"
import { InvalidParameter } from "../../value/errors.js"
import { fold, MAX_NAME_LENGTH, NamePrefix, prefixEnd } from "../../value/Text.js"
import type { Selection } from "./Selection.js"

/** The maximum number of values of one filter. */
export const MAX_FILTER_VALUES = 100

/** One query parameter of a list: its values, and the rows that it selects. */
export type Filter = {
  /** Whether the parameter may be given several times. */
  readonly repeatable: boolean
  /** The type of a single value in a query string. */
  readonly type: "integer" | "text" | "boolean"
  /** The description of a single value, for OpenAPI. */
  readonly value: Field
  /** What it narrows: the ids, a column to some values, or a column to a range. */
  readonly narrows: "ids" | { readonly among: string } | { readonly between: string }
  readonly narrow: (
    selection: Selection,
    name: string,
    value: unknown
  ) => Either.Either<Selection, InvalidParameter>
}

const invalid = (parameter: string, expected: string, got: unknown) =>
  Either.left(new InvalidParameter({ parameter, expected, got: echo(got) }))

const isReference = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 2 ** 63

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

/** Rows with one of these ids. */
export const byIds: Filter = {
  repeatable: true,
  type: "integer",
  value: Reference,
  narrows: "ids",
  narrow: (selection, name, value) => {
    const ids = listOf(value)
    const wrong = ids.find((id) => !isReference(id))
    if (wrong !== undefined) return invalid(name, "whole numbers from 1", wrong)
    if (ids.length === 0 || ids.length > MAX_FILTER_VALUES) {
      return invalid(name, `1 to ${MAX_FILTER_VALUES} values`, `${ids.length} values`)
    }
    return Either.right({ ...selection, ids: ids.filter(isReference) })
  }
}

/** Rows whose column has one of these values. */
export const byEnumeration = (column: string, kind: EnumerationField<string>): Filter => ({
  repeatable: true,
  type: "text",
  value: kind,
  narrows: { among: column },
  narrow: (selection, name, value) => {
    const { values } = kind
    const input = listOf(value)
    const wrong = input.find((each) => typeof each !== "string" || !values.includes(each))
    if (wrong !== undefined || input.length === 0)
      return invalid(name, `one of ${values.join(", ")}`, wrong)
    if (input.length > MAX_FILTER_VALUES) {
      return invalid(name, `at most ${MAX_FILTER_VALUES} values`, `${input.length} values`)
    }
    return Either.right(among(selection, column, [...new Set(input.map(String))].sort()))
  }
})

/** Rows that refer to this id. */
export const refersTo = (column: string): Filter => ({
  repeatable: false,
  type: "integer",
  value: Reference,
  narrows: { among: column },
  narrow: (selection, name, value) =>
    isReference(value)
      ? Either.right(among(selection, column, [value]))
      : invalid(name, "a whole number from 1", value)
})

/** Rows whose column is this boolean. */
export const is = (column: string): Filter => ({
  repeatable: false,
  type: "boolean",
  value: boolean,
  narrows: { among: column },
  narrow: (selection, name, value) =>
    typeof value === "boolean"
      ? Either.right(among(selection, column, [value]))
      : invalid(name, "true or false", value)
})

/** Rows whose folded name, in this column, starts with the folded text: case does not matter. */
export const namePrefix = (column: string): Filter => ({
  repeatable: false,
  type: "text",
  value: NamePrefix,
  narrows: { between: column },
  narrow: (selection, name, value) => {
    if (typeof value !== "string" || !NamePrefix.is(value))
      return invalid(name, `1 to ${MAX_NAME_LENGTH} characters`, value)
    const prefix = fold(value)
    return Either.right({
      ...selection,
      between: { column, atLeast: prefix, below: prefixEnd(prefix) }
    })
  }
})

/**
 * Rows whose instant is not before (`from`) or not after (`to`) this one. Rows without an instant
 * match neither.
 */
export const instant = (column: string, end: "from" | "to"): Filter => ({
  repeatable: false,
  type: "text",
  value: Instant,
  narrows: { between: column },
  narrow: (selection, name, value) => {
    const instantMs = typeof value === "string" ? parseInstant(value) : undefined
    if (instantMs === undefined) return invalid(name, expectedOf(Instant, value), value)
    const { atLeast = Number.MIN_SAFE_INTEGER, below = null } = selection.between ?? {}
    const between =
      end === "from"
        ? { column, atLeast: instantMs, below }
        : { column, atLeast, below: instantMs + 1 }
    return Either.right({ ...selection, between })
  }
})

const among = (selection: Selection, column: string, values: ReadonlyArray<Value>): Selection => ({
  ...selection,
  among: { ...selection.among, [column]: values }
})
