/** The parameters of an operation in path, query and header fields. */
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { meaningOf, readerOf } from "../contract/Parameter.js"
import type { ParameterObject, Ref } from "./Document.js"
import type { RequestHeader } from "./headers.js"
import type { Schemas } from "./schemas.js"

const propertiesOf = (
  ast: SchemaAST.AST | undefined
): ReadonlyArray<SchemaAST.PropertySignature> => {
  if (ast === undefined) return []
  if (!SchemaAST.isTypeLiteral(ast)) throw new Error("openapi: parameters are not a record")
  return ast.propertySignatures
}

export const pathParameters = (
  ast: SchemaAST.AST | undefined,
  { request }: Schemas
): ReadonlyArray<ParameterObject> =>
  propertiesOf(ast).map(({ name, type }) => ({
    name: String(name),
    in: "path",
    description: Option.getOrElse(
      SchemaAST.getDescriptionAnnotation(type),
      () => "The record's id."
    ),
    required: true,
    schema: request(type),
    example: 1
  }))

const queryParameter = (
  name: string,
  type: SchemaAST.AST,
  { request }: Schemas
): ParameterObject => {
  const meaning = meaningOf(type)
  const reader = Option.getOrUndefined(readerOf(type))
  if (meaning === undefined || reader === undefined)
    throw new Error(`openapi: ${name} has no meaning`)
  const { value, description, maxValues } = meaning
  const one = request(value)
  const base = { name, in: "query", description, required: false } as const
  if (reader.repeatable) {
    const schema = {
      type: "array",
      items: one,
      ...(maxValues === undefined ? {} : { maxItems: maxValues })
    } as const
    return { ...base, style: "form", explode: true, schema }
  }
  const schema =
    meaning.default === undefined || "$ref" in one ? one : { ...one, default: meaning.default }
  return { ...base, schema }
}

export const queryParameters = (
  ast: SchemaAST.AST | undefined,
  schemas: Schemas
): ReadonlyArray<ParameterObject> =>
  propertiesOf(ast).map(({ name, type }) => queryParameter(String(name), type, schemas))

export const headerParameters = (names: ReadonlyArray<RequestHeader>): ReadonlyArray<Ref> =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
