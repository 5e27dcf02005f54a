/** Compiles a schema into functions that write its records as JSON. */
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"

type View = Readonly<Record<string, unknown>>

/** Writes exactly the members of the schema, in its order. Leaves out undefined ones. */
export type Encoder = {
  readonly one: (view: View) => string
  readonly list: (views: ReadonlyArray<View>) => string
}

export const recordEncoder = (ast: SchemaAST.AST): Encoder => {
  if (!SchemaAST.isTypeLiteral(ast)) throw new Error("encoder: not a record")
  const names = ast.propertySignatures.map(({ name }) => String(name))

  /** Whether a view has no other members, and those of the schema in its order. */
  const isExact = (view: View): boolean => {
    let at = 0
    for (const name in view) {
      while (at < names.length && names[at] !== name) at++
      if (at++ === names.length) return false
    }
    return true
  }

  const pick = (view: View): View => {
    const picked: Record<string, unknown> = {}
    for (const name of names) picked[name] = view[name]
    return picked
  }

  // Most views are exact. A copy would take longer than writing it.
  const exactly = (view: View): View => (isExact(view) ? view : pick(view))

  return {
    one: (view) => JSON.stringify(exactly(view)),
    list: (views) => JSON.stringify(views.every(isExact) ? views : views.map(exactly))
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
