/** Writes records as JSON text: exactly the members their schema names, in its order. Compiled once from the schema. */
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"

type Shown = Readonly<Record<string, unknown>>

export type Encoder = (shown: Shown) => string

/** Anything but what a JSON text holds as it is: quotes, backslashes, control characters, surrogates that may be alone. */
const NEEDS_ESCAPES = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

const quote = (text: string): string => (NEEDS_ESCAPES.test(text) ? JSON.stringify(text) : `"${text}"`)

/** How a value stands in JSON: a number or boolean as it is, a word that needs no escapes in quotes, any other text quoted and escaped. */
type Form = "plain" | "word" | "text"

const write = (value: unknown, form: Form): string =>
  form === "plain" ? String(value) : form === "word" ? `"${String(value)}"` : quote(String(value))

/** `first` and `next` are what stands before the value: the name, after the opening brace or a comma. */
type Member = { readonly name: string; readonly first: string; readonly next: string; readonly form: Form }

const isWord = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isLiteral(ast) && typeof ast.literal === "string" && !NEEDS_ESCAPES.test(ast.literal)

const formOf = (ast: SchemaAST.AST): Form => {
  const wire = SchemaAST.encodedAST(ast)
  if (SchemaAST.isNumberKeyword(wire) || SchemaAST.isBooleanKeyword(wire)) return "plain"
  if (SchemaAST.isUnion(wire) && wire.types.every(isWord)) return "word"
  if (SchemaAST.isStringKeyword(wire)) return "text"
  throw new Error(`encoder: no way to write ${String(ast)}`)
}

/**
 * Compiles the encoder of a record. Members that are optional and absent, or undefined, are left out. One loop that knows three forms,
 * rather than a function for each member, takes a quarter off a page.
 */
export const recordEncoder = (ast: SchemaAST.AST): Encoder => {
  if (!SchemaAST.isTypeLiteral(ast)) throw new Error("encoder: not a record")
  const members = ast.propertySignatures.map(({ name, type }): Member => {
    const label = `${JSON.stringify(String(name))}:`
    return { name: String(name), first: `{${label}`, next: `,${label}`, form: formOf(type) }
  })
  return (shown) => {
    let text = ""
    for (const { name, first, next, form } of members) {
      const value = shown[name]
      if (value === undefined) continue
      text += (text === "" ? first : next) + write(value, form)
    }
    return text === "" ? "{}" : `${text}}`
  }
}

/** The record that an operation answers with, alone or in a list; none where it answers without a body. */
export const answeredRecord = (
  successes: ReadonlyMap<number, { readonly ast: Option.Option<SchemaAST.AST> }>
): SchemaAST.AST | undefined => {
  for (const { ast } of successes.values()) {
    if (Option.isNone(ast) || SchemaAST.isStringKeyword(ast.value)) continue
    return SchemaAST.isTupleType(ast.value) ? ast.value.rest[0]?.type : ast.value
  }
  return undefined
}
