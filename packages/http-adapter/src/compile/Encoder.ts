/** Writes records as JSON text: exactly the members their schema names, in its order. Compiled once from the schema. */
import { Option, SchemaAST } from "effect"

type Shown = Readonly<Record<string, unknown>>

export type Encoder = (shown: Shown) => string

/** Anything but what a JSON text holds as it is: quotes, backslashes, control characters, surrogates that may be alone. */
const NEEDS_ESCAPES = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

const quote = (text: string): string => (NEEDS_ESCAPES.test(text) ? JSON.stringify(text) : `"${text}"`)

type Member = { readonly name: string; readonly label: string; readonly write: (value: unknown) => string }

const writerOf = (ast: SchemaAST.AST): ((value: unknown) => string) => {
  const wire = SchemaAST.encodedAST(ast)
  if (SchemaAST.isNumberKeyword(wire) || SchemaAST.isBooleanKeyword(wire)) return String
  if (
    SchemaAST.isUnion(wire) &&
    wire.types.every((type) => SchemaAST.isLiteral(type) && typeof type.literal === "string")
  ) {
    return (value) => `"${String(value)}"`
  }
  if (SchemaAST.isStringKeyword(wire)) return (value) => quote(String(value))
  throw new Error(`encoder: no way to write ${String(ast)}`)
}

/** Compiles the encoder of a record. Members that are optional and absent, or undefined, are left out. */
export const recordEncoder = (ast: SchemaAST.AST): Encoder => {
  if (!SchemaAST.isTypeLiteral(ast)) throw new Error("encoder: not a record")
  const members: ReadonlyArray<Member> = ast.propertySignatures.map((property) => ({
    name: String(property.name),
    label: `"${String(property.name)}":`,
    write: writerOf(property.type)
  }))
  return (shown) => {
    let text = ""
    for (const { name, label, write } of members) {
      const value = shown[name]
      if (value !== undefined) text += `${text === "" ? "{" : ","}${label}${write(value)}`
    }
    return text === "" ? "{}" : `${text}}`
  }
}

/** The record that an operation answers with, alone or in a list; none where it answers without a body. */
export const answeredRecord = (
  successes: ReadonlyMap<number, { readonly ast: Option.Option<SchemaAST.AST> }>
): SchemaAST.AST | undefined => {
  for (const { ast } of successes.values()) {
    if (Option.isNone(ast)) continue
    return SchemaAST.isTupleType(ast.value) ? ast.value.rest[0]?.type : ast.value
  }
  return undefined
}
