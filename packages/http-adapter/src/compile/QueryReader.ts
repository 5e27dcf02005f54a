/** Compiles the query parameters of an operation into a reader of query strings. */
import { InvalidParameter } from "@petstore/core"
import { echo, RecentMap } from "@petstore/core/adapter"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { type Reader, readerOf } from "../contract/Parameter.js"
import { UnknownParameter } from "../contract/errors.js"

export type ReadQuery = {
  /** The values by name; a list for a repeatable parameter. */
  readonly values: Readonly<Record<string, unknown>>
  /** The query of the first page, for links: all but the cursor. */
  readonly ofFirstPage: string
}

export type QueryReader = (
  query: string
) => Either.Either<ReadQuery, InvalidParameter | UnknownParameter>

export const NO_QUERY: ReadQuery = { values: {}, ofFirstPage: "" }

/** Decodes percent-encoding, and `+` as a space; undefined for a lone `%` and other than UTF-8. */
const decodeText = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text)
  } catch {
    return undefined
  }
}

const malformed = (parameter: string, got: string) =>
  new InvalidParameter({
    parameter,
    expected: "well-formed percent-encoding of UTF-8",
    got: echo(got)
  })

const readersOf = (ast: SchemaAST.AST | undefined): ReadonlyMap<string, Reader> => {
  if (ast === undefined) return new Map()
  if (!SchemaAST.isTypeLiteral(ast)) throw new Error("query: not a record")
  return new Map(
    ast.propertySignatures.map((property) => [
      String(property.name),
      Option.getOrThrowWith(
        readerOf(property.type),
        () => new Error(`query: no reader for ${String(property.name)}`)
      )
    ])
  )
}

/** Each program sends few distinct queries. A longer query is not cached. */
const CACHE_CAPACITY = 256
const MAX_CACHED_LENGTH = 256

/** Refuses unknown, repeated and malformed parameters. Equal queries may return the same object. */
export const queryReader = (ast: SchemaAST.AST | undefined): QueryReader => {
  const readers = readersOf(ast)

  const add = (
    values: Record<string, unknown>,
    name: string,
    text: string
  ): InvalidParameter | UnknownParameter | undefined => {
    const reader = readers.get(name)
    if (reader === undefined)
      return new UnknownParameter({ parameter: name, known: [...readers.keys()] })
    if (text === "" && reader.mayBeEmpty === true) return undefined
    const value = text === "" ? undefined : reader.read(text)
    if (value === undefined)
      return new InvalidParameter({ parameter: name, expected: reader.expected, got: echo(text) })
    const earlier = values[name]
    if (!reader.repeatable) {
      if (earlier !== undefined) {
        return new InvalidParameter({ parameter: name, expected: "one value", got: "several" })
      }
      values[name] = value
    } else if (Array.isArray(earlier)) earlier.push(value)
    else values[name] = [value]
    return undefined
  }

  const read: QueryReader = (query) => {
    const values: Record<string, unknown> = {}
    const linkParts: Array<string> = []
    for (const pair of query.split("&")) {
      if (pair === "") continue
      const equals = pair.indexOf("=")
      const rawName = equals === -1 ? pair : pair.slice(0, equals)
      const name = decodeText(rawName)
      if (name === undefined) return Either.left(malformed("query", rawName))
      const text = equals === -1 ? "" : decodeText(pair.slice(equals + 1))
      if (text === undefined) return Either.left(malformed(name, pair.slice(equals + 1)))
      const wrong = add(values, name, text)
      if (wrong !== undefined) return Either.left(wrong)
      if (name !== "cursor")
        linkParts.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    }
    return Either.right({ values, ofFirstPage: linkParts.join("&") })
  }

  const cache = new RecentMap<string, ReturnType<QueryReader>>(CACHE_CAPACITY)
  return (query) => {
    const cached = cache.get(query)
    if (cached !== undefined) return cached
    const result = read(query)
    if (Either.isRight(result) && query.length <= MAX_CACHED_LENGTH) cache.set(query, result)
    return result
  }
}
