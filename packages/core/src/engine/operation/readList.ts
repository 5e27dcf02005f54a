/** The operation that reads a page of a collection. */
import * as Either from "effect/Either"
import { read } from "./Operation.js"
import type { Row } from "../program/Collection.js"
import { type Listing, type Page, type Paging, planList, runList } from "../list/ListQuery.js"

export const presentPage =
  <Stored, Shown>(present: (stored: Stored) => Shown) =>
  (page: Page<Stored>): Page<Shown> => ({ ...page, items: page.items.map(present) })

export const readList = <Query extends Paging<string>, R extends Row, Shown>(
  listing: Listing<R>,
  present: (row: R) => Shown
) => {
  const validate = planList(listing)
  return read({
    validate: (query?: Query) => Either.map(validate(query ?? {}), (plan) => [plan] as const),
    program: (_context, plan) => runList(listing, plan),
    present: presentPage(present)
  })
}
