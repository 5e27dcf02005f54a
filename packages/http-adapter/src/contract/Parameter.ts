/** Parameters in a path or a query: one declaration makes the schema and the compiled reader. */
import { INT64_LIMIT } from "@petstore/core/adapter"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { parseDigits } from "./Digits.js"

/** Reads the text of a parameter; undefined for a text that is not as expected. */
export type Reader = {
  readonly read: (text: string) => unknown
  readonly expected: string
  readonly repeatable: boolean
  /** Whether an empty value counts as an absent parameter. */
  readonly mayBeEmpty?: boolean
}

const ReaderId: unique symbol = Symbol.for("@petstore/http-adapter/Reader")

/** The reader of a schema that was made here. */
export const readerOf = (ast: SchemaAST.AST): Option.Option<Reader> =>
  SchemaAST.getAnnotation<Reader>(ast, ReaderId)

/** A parameter as the OpenAPI description shows it. */
type Meaning = {
  readonly value: SchemaAST.AST
  readonly description: string
  /** The value where it is absent. */
  readonly default?: string | number | boolean
  /** The most values a repeatable parameter takes. */
  readonly maxValues?: number
}

const MeaningId: unique symbol = Symbol.for("@petstore/http-adapter/Meaning")

/** The meaning in the declaration of a parameter. */
export const meaningOf = (ast: SchemaAST.AST): Meaning | undefined =>
  Option.getOrUndefined(SchemaAST.getAnnotation<Meaning | undefined>(ast, MeaningId))

const asText = <A>(target: Schema.Schema<A>, read: (text: string) => A | undefined) =>
  Schema.transformOrFail(Schema.String, target, {
    strict: true,
    decode: (text, _, ast) => {
      const value = read(text)
      return value === undefined
        ? ParseResult.fail(new ParseResult.Type(ast, text))
        : ParseResult.succeed(value)
    },
    encode: (value) => ParseResult.succeed(String(value))
  })

const digits = asText(Schema.Number, parseDigits)

const readBoolean = (text: string): boolean | undefined =>
  text === "true" ? true : text === "false" ? false : undefined

/** How the values of each type are written and read. A text is never empty. */
const TYPES = {
  integer: { schema: digits, read: parseDigits, expected: "a whole number in plain digits" },
  boolean: {
    schema: asText(Schema.Boolean, readBoolean),
    read: readBoolean,
    expected: "true or false"
  },
  text: {
    schema: Schema.String,
    read: (text: string) => text,
    expected: "a text of at least one character"
  }
} as const

export type ParameterType = keyof typeof TYPES

/** How values of another type are written and read. */
type TextForm<A> = {
  readonly schema: Schema.Schema<A>
  readonly read: (text: string) => A | undefined
  readonly expected: string
  readonly mayBeEmpty?: boolean
}

/** A query parameter that may be given once. */
export const once = (type: ParameterType, meaning?: Meaning) =>
  Schema.Union(TYPES[type].schema).annotations({
    [MeaningId]: meaning,
    [ReaderId]: {
      read: TYPES[type].read,
      expected: TYPES[type].expected,
      repeatable: false
    } satisfies Reader
  })

/** A query parameter of another type that may be given once. */
export const onceOf = <A>({ schema, ...form }: TextForm<A>, meaning: Meaning) =>
  Schema.Union(asText(schema, form.read)).annotations({
    [MeaningId]: meaning,
    [ReaderId]: { ...form, repeatable: false } satisfies Reader
  })

/** A query parameter that may be given several times. */
export const repeated = (type: ParameterType, meaning?: Meaning) =>
  Schema.Union(TYPES[type].schema, Schema.Array(TYPES[type].schema)).annotations({
    [MeaningId]: meaning,
    [ReaderId]: {
      read: TYPES[type].read,
      expected: TYPES[type].expected,
      repeatable: true
    } satisfies Reader
  })

const readId = (text: string): number | undefined => parseDigits(text) || undefined

/** A text in a header or a query. */
export const text = (
  form: { readonly pattern?: string; readonly enum?: ReadonlyArray<string> } = {}
) => Schema.String.annotations({ jsonSchema: { type: "string", ...form } })

/** An id in a path: any positive int64. No record has an id above 2^53 − 1. */
export const PathId = asText(Schema.Number, readId).annotations({
  jsonSchema: { type: "integer", format: "int64", minimum: 1, maximum: INT64_LIMIT },
  [ReaderId]: {
    read: readId,
    expected: "a whole number from 1, in plain digits",
    repeatable: false
  } satisfies Reader
})
