/**
 * Makes the effect/Schema of a field or a struct. The schema of a struct carries its compiled
 * decoder.
 */
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type Decoder, decoder, expectedOf } from "../value/Decoder.js"
import { echo } from "../value/echo.js"
import { formatInstant, isInstantMs } from "../value/Instant.js"
import type {
  ValueOf,
  DateTimeField,
  Field,
  TextField,
  IntegerField,
  EncodedOf
} from "../value/Field.js"
import type { Fields, OptionalField, Struct } from "../value/Struct.js"

/** The `jsonSchema` annotation: what OpenAPI 3.0 can express about a text or a number. */
const textHint = ({ minLength, maxLength, pattern }: TextField) => ({
  type: "string",
  ...(minLength === undefined ? {} : { minLength }),
  maxLength,
  ...(pattern === undefined ? {} : { pattern })
})

const integerHint = ({ format, from, to }: IntegerField) => ({
  type: "integer",
  format,
  minimum: from,
  maximum: to
})

const instantOf = ({ parse }: DateTimeField) =>
  Schema.transformOrFail(Schema.String, Schema.Number, {
    strict: true,
    decode: (text, _, ast) => {
      const instantMs = parse(text)
      return instantMs === undefined
        ? ParseResult.fail(new ParseResult.Type(ast, text))
        : ParseResult.succeed(instantMs)
    },
    encode: (instantMs, _, ast) =>
      isInstantMs(instantMs)
        ? ParseResult.succeed(formatInstant(instantMs))
        : ParseResult.fail(new ParseResult.Type(ast, instantMs))
  })

/** Turns -0 into 0, as the decoders do. */
const zero = (whole: Schema.Schema<number>, jsonSchema: ReturnType<typeof integerHint>) =>
  Schema.transform(whole, Schema.typeSchema(whole), {
    strict: true,
    decode: (given) => given + 0,
    encode: (given) => given
  }).annotations({ jsonSchema })

const unworded = (field: Field): Schema.Schema.AnyNoContext => {
  switch (field.of) {
    case "text":
      return Schema.String.pipe(Schema.filter(field.is, { jsonSchema: textHint(field) }))
    case "integer": {
      const { from, to } = field
      const is = (given: number) => Number.isInteger(given) && given >= from && given <= to
      const jsonSchema = integerHint(field)
      const whole = Schema.Number.pipe(Schema.filter(is, { jsonSchema }))
      return is(0) ? zero(whole, jsonSchema) : whole
    }
    case "boolean":
      return Schema.Boolean
    case "enumeration":
      return Schema.Literal(...field.values)
    case "subset":
      return Schema.Array(Schema.Literal(...field.values)).pipe(
        Schema.filter((some) => some.length > 0 && new Set(some).size === some.length)
      )
    case "dateTime":
      return instantOf(field).annotations({ jsonSchema: { type: "string", format: "date-time" } })
    case "anything":
      return Schema.Unknown
    default:
      return Schema.NullOr(made(field.field))
  }
}

/**
 * Uses the messages of the decoders, which repeat only a short excerpt. Effect's own messages
 * repeat the value to any depth.
 */
const made = (field: Field): Schema.Schema.AnyNoContext =>
  unworded(field).annotations({
    ...(field.of === "enumeration" ? { identifier: field.identifier } : {}),
    message: ({ actual }) => ({
      message: `Expected ${expectedOf(field, actual)}, actual ${echo(actual)}`,
      override: true
    })
  })

/** The schema of a field. */
export const fieldSchema = <F extends Field>(field: F) =>
  made(field) as Schema.Schema<ValueOf<F>, EncodedOf<F>>

/** The schema of a field of a record, which may be optional. */
export type MemberSchema<Member> =
  Member extends OptionalField<infer F>
    ? Schema.optionalWith<Schema.Schema<ValueOf<F>, EncodedOf<F>>, { exact: true }>
    : Schema.Schema<ValueOf<Member>, EncodedOf<Member>>

/** The schema of a record: a struct of the schemas of its fields. */
export type RecordSchema<S> =
  S extends Struct<infer M> ? Schema.Struct<{ [Name in keyof M]: MemberSchema<M[Name]> }> : never

const DecoderId: unique symbol = Symbol.for("@petstore/core/Decoder")

/**
 * The schema of a record. The casts of this file are needed because a schema made at run time does
 * not carry the types of the fields.
 */
export const recordSchema = <M extends Fields>(struct: Struct<M>): RecordSchema<Struct<M>> =>
  Schema.Struct(
    Object.fromEntries(
      Object.entries(struct.fields).map(([name, member]) => [
        name,
        member.of === "optional"
          ? Schema.optionalWith(made(member.field), { exact: true })
          : made(member)
      ])
    )
  ).annotations({
    identifier: struct.identifier,
    message: ({ actual }) => `Expected ${struct.identifier}, actual ${echo(actual)}`,
    [DecoderId]: decoder(struct)
  }) as unknown as RecordSchema<Struct<M>>

/**
 * The compiled decoder of a schema of this package. It decodes to the same value as the schema,
 * faster, and its errors name the fields. Throws for any other schema.
 */
export const decoderOf = <A, I>(schema: Schema.Schema<A, I>): Decoder<A> =>
  Option.getOrThrowWith(
    SchemaAST.getAnnotation<Decoder<A>>(schema.ast, DecoderId),
    () => new Error("decoderOf: not the schema of a record of @petstore/core")
  )
