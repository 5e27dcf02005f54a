/**
 * Decoders compiled from record schemas: the schema says what is right, this says it fast and refuses in words that name
 * the field. Works on structs whose members are not structs themselves, which all records are.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { expectedOf } from "./Expected.js"
import { type Issue, ValidationFailed } from "./Refusals.js"

export type Decoder<A> = (input: unknown) => Either.Either<A, ValidationFailed>

const MAX_ECHO = 40

/** A short piece of what was given, safe to show: no control characters, never the whole of a long value. */
export const echo = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  if (typeof value === "number" && !Number.isInteger(value)) {
    return Number.isFinite(value) ? String(value) : "a number out of range or not in plain digits"
  }
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value)
  if (typeof value !== "string") return value === null ? "null" : `a ${typeof value}`
  const short = Array.from(value.slice(0, 2 * MAX_ECHO))
    .slice(0, MAX_ECHO)
    .join("")
    .toWellFormed()
  return `${JSON.stringify(short)}${short.length < value.length ? " …" : ""}`
}

/** Decodes one member: `failed` stands for a value that is not what was expected. */
const failed: unique symbol = Symbol("failed")

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<unknown> | undefined =>
  SchemaAST.isUnion(ast) && ast.types.every(SchemaAST.isLiteral)
    ? ast.types.map((type) => (SchemaAST.isLiteral(type) ? type.literal : undefined))
    : undefined

const OPTIONS: SchemaAST.ParseOptions = {}

/** Whether a value is of a type that needs no decoding: the schema's own checks, without its machinery where they are plain. */
const check = (ast: SchemaAST.AST): ((value: unknown) => boolean) => {
  if (SchemaAST.isStringKeyword(ast)) return (value) => typeof value === "string"
  if (SchemaAST.isNumberKeyword(ast)) return (value) => typeof value === "number"
  if (SchemaAST.isBooleanKeyword(ast)) return (value) => typeof value === "boolean"
  const literals = literalsOf(ast)
  if (literals !== undefined) return (value) => literals.includes(value)
  if (!SchemaAST.isRefinement(ast)) return ParseResult.is(Schema.make(ast))
  const isBase = check(ast.from)
  return (value) => isBase(value) && Option.isNone(ast.filter(value, OPTIONS, ast))
}

const member = (ast: SchemaAST.AST): ((value: unknown) => unknown) => {
  if (SchemaAST.typeAST(ast) === ast) {
    const is = check(ast)
    return (value) => (is(value) ? value : failed)
  }
  const decode = ParseResult.decodeUnknownEither(Schema.make(ast))
  return (value) => Either.getOrElse(decode(value), () => failed)
}

const isPlainObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input)

/** Compiles the decoder of a struct. Absent and null differ; members the schema does not name are refused by name. */
export const decoder = <A, I>(schema: Schema.Schema<A, I>): Decoder<A> => {
  const ast = schema.ast
  if (!SchemaAST.isTypeLiteral(ast) && !SchemaAST.isTransformation(ast))
    throw new Error("decoder: not a struct")
  const from = SchemaAST.isTransformation(ast) ? ast.from : ast
  if (!SchemaAST.isTypeLiteral(from)) throw new Error("decoder: not a struct")
  const members = from.propertySignatures.map((property) => ({
    name: String(property.name),
    optional: property.isOptional,
    expected: expectedOf(property.type),
    decode: member(property.type)
  }))
  const names = new Set(members.map((each) => each.name))

  const issuesOf = (input: Readonly<Record<string, unknown>>): ReadonlyArray<Issue> => [
    ...Object.keys(input)
      .filter((name) => !names.has(name))
      .map((name) => ({
        field: echo(name).slice(1, -1),
        expected: `one of the fields ${[...names].join(", ")}`,
        got: "an unknown field"
      })),
    ...members
      .filter((each) =>
        Object.hasOwn(input, each.name) ? each.decode(input[each.name]) === failed : !each.optional
      )
      .map((each) => ({
        field: each.name,
        expected: each.expected,
        got: Object.hasOwn(input, each.name) ? echo(input[each.name]) : "nothing"
      }))
  ]

  return (input) => {
    if (!isPlainObject(input)) {
      return Either.left(
        new ValidationFailed({ issues: [{ field: "", expected: "an object", got: echo(input) }] })
      )
    }
    const output: Record<string, unknown> = {}
    let seen = 0
    for (const each of members) {
      if (!Object.hasOwn(input, each.name)) {
        if (each.optional) continue
        return Either.left(new ValidationFailed({ issues: issuesOf(input) }))
      }
      seen++
      const value = each.decode(input[each.name])
      if (value === failed) return Either.left(new ValidationFailed({ issues: issuesOf(input) }))
      output[each.name] = value
    }
    return Object.keys(input).length === seen
      ? Either.right(output as A)
      : Either.left(new ValidationFailed({ issues: issuesOf(input) }))
  }
}
