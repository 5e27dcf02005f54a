/** Says, beside a schema, what a good value looks like, so that a refusal can name the field and what was expected. */
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

const ExpectedId: unique symbol = Symbol.for("@petstore/core/Expected")

/** What `OpenAPI 3.0` can say of a value; carried as the schema's `jsonSchema` annotation. */
export type JsonSchemaHint = {
  readonly type: "integer" | "string" | "boolean"
  readonly format?: "int64" | "int32" | "date-time"
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

/** Attaches the sentence a refusal uses ("1 to 200 characters, not blank") and the description machines read. */
export const expected =
  (words: string, jsonSchema: JsonSchemaHint) =>
  <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, I> =>
    schema.annotations({ [ExpectedId]: words, jsonSchema })

/** The sentence attached by `expected`, looked for through unions and refinements; "a valid value" without one. */
export const expectedOf = (ast: SchemaAST.AST): string =>
  Option.getOrElse(SchemaAST.getAnnotation<string>(ast, ExpectedId), () =>
    SchemaAST.isUnion(ast) && ast.types.every(SchemaAST.isLiteral)
      ? `one of ${ast.types.map((type) => String(SchemaAST.isLiteral(type) ? type.literal : type)).join(", ")}`
      : SchemaAST.isBooleanKeyword(ast)
        ? "true or false"
        : "a valid value"
  )
