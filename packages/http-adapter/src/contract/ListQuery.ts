/** The query parameters of a list, derived from what core lists by: its filters, and what every list takes. */
import type { Filter } from "@petstore/core"
import { Schema } from "effect"
import { once, repeated } from "./Parameter.js"

/** A query as it travels. */
export type QueryText = { readonly [name: string]: string | ReadonlyArray<string> | undefined }

const PAGING = { sort: once("text"), limit: once("integer"), cursor: once("text"), total: once("boolean") }

const optional = (schema: Schema.Schema.AnyNoContext) => Schema.optionalWith(schema, { exact: true })

/**
 * Declares each filter of the listing, then `sort`, `limit`, `cursor` and `total`. The cast says that `Query` is the type
 * core gives to this very listing; what a value may be is checked by the listing itself.
 */
export const listQuery = <Query>(listing: {
  readonly filters: Readonly<Record<string, Filter>>
}): Schema.Schema<Query, QueryText> => {
  const filters = Object.entries(listing.filters).map(([name, { repeatable, type }]) => [
    name,
    optional(repeatable ? repeated(type) : once(type))
  ])
  const paging = Object.entries(PAGING).map(([name, schema]) => [name, optional(schema)])
  return Schema.Struct(Object.fromEntries([...filters, ...paging])) as unknown as Schema.Schema<
    Query,
    QueryText
  >
}
