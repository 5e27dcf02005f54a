/** The query parameters of a list: the filters of its listing in core, and those of every list. */
import { DEFAULT_LIMIT, MAX_LIMIT } from "@petstore/core"
import { type Filter, MAX_FILTER_VALUES, orderTexts } from "@petstore/core/adapter"
import { fieldSchema } from "@petstore/core/schema"
import * as Schema from "effect/Schema"
import { once, repeated, text } from "./Parameter.js"

/** A query as text. */
type QueryText = { readonly [name: string]: string | ReadonlyArray<string> | undefined }

type ListingShape = {
  readonly filters: Readonly<Record<string, Filter>>
  readonly sorts: Readonly<Record<string, string>>
}

const PAGE_SIZE = Schema.Number.annotations({
  jsonSchema: { type: "integer", format: "int32", minimum: 1, maximum: MAX_LIMIT }
})

const pagingOf = (listing: ListingShape) => ({
  sort: once("text", {
    value: text({ enum: orderTexts(listing.sorts) }).ast,
    description:
      "The order, `-` for descending; the id decides between equals. Without it: by id, or by " +
      "what a prefix or range filter is about, which is then the only order."
  }),
  limit: once("integer", {
    value: PAGE_SIZE.ast,
    description: "How many records a page has.",
    default: DEFAULT_LIMIT
  }),
  cursor: once("text", {
    value: text({ pattern: "^[A-Za-z0-9_-]+$" }).ast,
    description:
      "Where to go on: taken from the `next` link of a page with the same filters and sort, and " +
      "refused under others."
  }),
  total: once("boolean", {
    value: Schema.Boolean.ast,
    description: "Whether to count all records of the list, in `X-Total-Count`.",
    default: false
  })
})

const optional = (schema: Schema.Schema.AnyNoContext) =>
  Schema.optionalWith(schema, { exact: true })

const filterOf = (filter: Filter, description: string) =>
  (filter.repeatable ? repeated : once)(filter.type, {
    value: fieldSchema(filter.value).ast,
    description,
    ...(filter.repeatable ? { maxValues: MAX_FILTER_VALUES } : {})
  })

/**
 * Declares the filters of the listing, then `sort`, `limit`, `cursor` and `total`. The cast says
 * that `Query` is core's type of this listing. The listing itself checks the values.
 */
export const listQuery = <Query>(
  listing: ListingShape,
  meanings: {
    readonly [
      Name in Exclude<keyof Query & string, "sort" | "limit" | "cursor" | "total">
    ]-?: string
  }
): Schema.Schema<Query, QueryText> => {
  const described: Readonly<Record<string, string>> = meanings
  const filters = Object.entries(listing.filters).map(([name, filter]) => [
    name,
    optional(filterOf(filter, described[name] ?? ""))
  ])
  const paging = Object.entries(pagingOf(listing)).map(([name, schema]) => [name, optional(schema)])
  return Schema.Struct(Object.fromEntries([...filters, ...paging])) as unknown as Schema.Schema<
    Query,
    QueryText
  >
}
