/** Compiles a schema into a function that writes its records as JSON. */
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"

type View = Readonly<Record<string, unknown>>

export type Encoder = (view: View) => string

/** Quotes, backslashes, control characters, and surrogates, which may be lone. */
const NEEDS_ESCAPES = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

const quote = (text: string): string =>
  NEEDS_ESCAPES.test(text) ? JSON.stringify(text) : `"${text}"`

/** A number or boolean, a text that never needs escapes, or any other text. */
type Form = "plain" | "word" | "text"

const write = (value: unknown, form: Form): string =>
  form === "plain" ? String(value) : form === "word" ? `"${String(value)}"` : quote(String(value))

/** `first` and `next` are the text before the value: a brace or a comma, and the name. */
type Member = {
  readonly name: string
  readonly first: string
  readonly next: string
  readonly form: Form
}

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
 * Writes exactly the members of the schema, in its order. Leaves out undefined ones. One loop over
 * three forms is faster than a function for each member.
 */
export const recordEncoder = (ast: SchemaAST.AST): Encoder => {
  if (!SchemaAST.isTypeLiteral(ast)) throw new Error("encoder: not a record")
  const members = ast.propertySignatures.map(({ name, type }): Member => {
    const label = `${JSON.stringify(String(name))}:`
    return { name: String(name), first: `{${label}`, next: `,${label}`, form: formOf(type) }
  })
  return (view) => {
    let text = ""
    for (const { name, first, next, form } of members) {
      const value = view[name]
      if (value === undefined) continue
      text += (text === "" ? first : next) + write(value, form)
    }
    return text === "" ? "{}" : `${text}}`
  }
}

/** The record in the answers of an operation, alone or in a list; undefined without a body. */
export const recordOf = (
  successes: ReadonlyMap<number, { readonly ast: Option.Option<SchemaAST.AST> }>
): SchemaAST.AST | undefined => {
  for (const { ast } of successes.values()) {
    if (Option.isNone(ast) || SchemaAST.isStringKeyword(ast.value)) continue
    return SchemaAST.isTupleType(ast.value) ? ast.value.rest[0]?.type : ast.value
  }
  return undefined
}
