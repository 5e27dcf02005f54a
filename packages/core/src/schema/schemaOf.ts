/** The effect/Schema of a part or a record, made from its plain description; what decodes a record goes with its schema. */
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type Decoder, decoder, expectedOf } from "../value/Decoder.js"
import { echo } from "../value/echo.js"
import { formatInstant, isInstantMs } from "../value/Instant.js"
import type { Kept, Moment, Part, Text, Whole, Written } from "../value/Part.js"
import type { Members, Optional, Shape } from "../value/Shape.js"

/** Carried as the `jsonSchema` annotation: what OpenAPI 3.0 can say of a text or a number. */
const textHint = ({ minLength, maxLength, pattern }: Text) => ({
  type: "string",
  ...(minLength === undefined ? {} : { minLength }),
  maxLength,
  ...(pattern === undefined ? {} : { pattern })
})

const wholeHint = ({ format, from, to }: Whole) => ({ type: "integer", format, minimum: from, maximum: to })

const instantOf = ({ parse }: Moment) =>
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

/** Of two zeros one is kept, as by the decoders. */
const zero = (whole: Schema.Schema<number>, jsonSchema: ReturnType<typeof wholeHint>) =>
  Schema.transform(whole, Schema.typeSchema(whole), {
    strict: true,
    decode: (given) => given + 0,
    encode: (given) => given
  }).annotations({ jsonSchema })

const unworded = (part: Part): Schema.Schema.AnyNoContext => {
  switch (part.of) {
    case "text":
      return Schema.String.pipe(Schema.filter(part.is, { jsonSchema: textHint(part) }))
    case "whole": {
      const { from, to } = part
      const is = (given: number) => Number.isInteger(given) && given >= from && given <= to
      const jsonSchema = wholeHint(part)
      const whole = Schema.Number.pipe(Schema.filter(is, { jsonSchema }))
      return is(0) ? zero(whole, jsonSchema) : whole
    }
    case "flag":
      return Schema.Boolean
    case "oneOf":
      return Schema.Literal(...part.values)
    case "someOf":
      return Schema.Array(Schema.Literal(...part.values)).pipe(
        Schema.filter((some) => some.length > 0 && new Set(some).size === some.length)
      )
    case "moment":
      return instantOf(part).annotations({ jsonSchema: { type: "string", format: "date-time" } })
    case "anything":
      return Schema.Unknown
    default:
      return Schema.NullOr(made(part.part))
  }
}

/**
 * Messages are worded as the decoders', and repeat only a short piece: Effect's own go down into
 * what was given, however deep.
 */
const made = (part: Part): Schema.Schema.AnyNoContext =>
  unworded(part).annotations({
    ...(part.of === "oneOf" ? { identifier: part.identifier } : {}),
    message: ({ actual }) => ({
      message: `Expected ${expectedOf(part, actual)}, actual ${echo(actual)}`,
      override: true
    })
  })

/** The schema of a part. */
export const partSchema = <P extends Part>(part: P) => made(part) as Schema.Schema<Kept<P>, Written<P>>

/** The schema of a member of a record. */
export type MemberSchema<Member> =
  Member extends Optional<infer P>
    ? Schema.optionalWith<Schema.Schema<Kept<P>, Written<P>>, { exact: true }>
    : Schema.Schema<Kept<Member>, Written<Member>>

/** The schema of a record of this shape: a struct of the schemas of its members. */
export type RecordSchema<S> =
  S extends Shape<infer M> ? Schema.Struct<{ [Name in keyof M]: MemberSchema<M[Name]> }> : never

const DecoderId: unique symbol = Symbol.for("@petstore/core/Decoder")

/** The schema of a record. The casts of this file say that what was made for each part is what the types say of it. */
export const recordSchema = <M extends Members>(shape: Shape<M>): RecordSchema<Shape<M>> =>
  Schema.Struct(
    Object.fromEntries(
      Object.entries(shape.members).map(([name, member]) => [
        name,
        member.of === "optional" ? Schema.optionalWith(made(member.part), { exact: true }) : made(member)
      ])
    )
  ).annotations({
    identifier: shape.identifier,
    message: ({ actual }) => `Expected ${shape.identifier}, actual ${echo(actual)}`,
    [DecoderId]: decoder(shape)
  }) as unknown as RecordSchema<Shape<M>>

/**
 * What decodes a record of this schema, several times as fast as the schema itself, to the same value, and refuses in words
 * that name the fields. Only for the schemas of this package; throws for others.
 */
export const decoderOf = <A, I>(schema: Schema.Schema<A, I>): Decoder<A> =>
  Option.getOrThrowWith(
    SchemaAST.getAnnotation<Decoder<A>>(schema.ast, DecoderId),
    () => new Error("decoderOf: not the schema of a record of @petstore/core")
  )
