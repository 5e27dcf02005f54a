/**
 * Turns schemas of the contract into schemas of OpenAPI 3.0. Those with an identifier become
 * components.
 */
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import type { Schema, SchemaObject } from "./Document.js"
import { RECORD_TEXTS } from "./recordTexts.js"

export type Schemas = {
  /** The schema of a response body. */
  readonly response: (ast: SchemaAST.AST) => Schema
  /** The schema of a request body, which refuses unknown fields. */
  readonly request: (ast: SchemaAST.AST) => Schema
  /** The components so far. */
  readonly components: () => Readonly<Record<string, Schema>>
}

const isNull = (ast: SchemaAST.AST): boolean => SchemaAST.isLiteral(ast) && ast.literal === null

const literalOf = (ast: SchemaAST.AST): string | number => {
  if (
    SchemaAST.isLiteral(ast) &&
    (typeof ast.literal === "string" || typeof ast.literal === "number")
  ) {
    return ast.literal
  }
  throw new Error(`openapi: no way to describe ${String(ast)}`)
}

const enumOf = (values: ReadonlyArray<string | number>): SchemaObject => ({
  type: typeof values[0] === "number" ? "integer" : "string",
  enum: values
})

const hintOf = (ast: SchemaAST.AST): SchemaObject | undefined =>
  Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(ast))

const nullable = (schema: Schema): SchemaObject => {
  if ("$ref" in schema) throw new Error("openapi: 3.0 has no nullable references")
  return { ...schema, nullable: true }
}

export const makeSchemas = (): Schemas => {
  const components: Record<string, Schema> = {}

  const recordOf = (
    ast: SchemaAST.TypeLiteral,
    name: string | undefined,
    closed: boolean
  ): SchemaObject => {
    const texts = name === undefined ? undefined : RECORD_TEXTS[name]?.fields
    const properties: Record<string, Schema> = {}
    for (const { name: key, type } of ast.propertySignatures) {
      const schema = schemaOf(type, closed)
      const description = texts?.[String(key)]
      properties[String(key)] =
        description === undefined || "$ref" in schema ? schema : { ...schema, description }
    }
    const required = ast.propertySignatures
      .filter((each) => !each.isOptional)
      .map((each) => String(each.name))
    return {
      type: "object",
      properties,
      ...(required.length === 0 ? {} : { required }),
      ...(closed ? { additionalProperties: false } : {})
    }
  }

  const plainOf = (ast: SchemaAST.AST, name: string | undefined, closed: boolean): Schema => {
    const hint = hintOf(ast)
    if (hint !== undefined) return hint
    if (SchemaAST.isStringKeyword(ast)) return { type: "string" }
    if (SchemaAST.isBooleanKeyword(ast)) return { type: "boolean" }
    if (SchemaAST.isNumberKeyword(ast)) return { type: "integer" }
    if (SchemaAST.isLiteral(ast)) return enumOf([literalOf(ast)])
    if (SchemaAST.isTupleType(ast) && ast.rest[0] !== undefined) {
      return { type: "array", items: schemaOf(ast.rest[0].type, closed) }
    }
    if (SchemaAST.isTypeLiteral(ast)) return recordOf(ast, name, closed)
    if (SchemaAST.isRefinement(ast)) return plainOf(ast.from, name, closed)
    if (!SchemaAST.isUnion(ast)) throw new Error(`openapi: no way to describe ${String(ast)}`)
    const [first, ...others] = ast.types.filter((type) => !isNull(type))
    if (first === undefined) throw new Error("openapi: no way to describe null alone")
    const inner = others.length === 0 ? schemaOf(first, closed) : oneOf([first, ...others], closed)
    return ast.types.some(isNull) ? nullable(inner) : inner
  }

  /** A union of values or of records. */
  const oneOf = (types: ReadonlyArray<SchemaAST.AST>, closed: boolean): SchemaObject =>
    types.every(SchemaAST.isLiteral)
      ? enumOf(types.map(literalOf))
      : { anyOf: types.map((type) => schemaOf(type, closed)) }

  const schemaOf = (ast: SchemaAST.AST, closed: boolean): Schema => {
    const name = SchemaAST.isRefinement(ast)
      ? undefined
      : Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(ast))
    if (name === undefined) return plainOf(ast, name, closed)
    if (components[name] === undefined) {
      const { description, example } = RECORD_TEXTS[name] ?? {}
      components[name] = {
        ...plainOf(ast, name, closed),
        ...(description === undefined ? {} : { description }),
        ...(example === undefined ? {} : { example })
      }
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  return {
    response: (ast) => schemaOf(ast, false),
    request: (ast) => schemaOf(ast, true),
    components: () => components
  }
}
